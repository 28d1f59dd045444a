import { SquareKanban } from 'lucide-react'
import { QuickAction } from '#app/ui/components/quick-action.tsx'

export default function ViewPipelineAction() {
  return (
    <QuickAction to="/pipeline" icon={SquareKanban}>
      View Pipeline
    </QuickAction>
  )
}
