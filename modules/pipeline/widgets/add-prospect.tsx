import { UserRoundPlus } from 'lucide-react'
import { QuickAction } from '#app/ui/components/quick-action.tsx'

export default function AddProspectAction() {
  return (
    <QuickAction to="/pipeline?openProspectModal=true" icon={UserRoundPlus}>
      Add Prospect
    </QuickAction>
  )
}
