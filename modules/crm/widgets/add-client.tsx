import { UserPlus } from 'lucide-react'
import { QuickAction } from '#app/ui/components/quick-action.tsx'

export default function AddClientAction() {
  return (
    <QuickAction to="/clients?dialog=add" icon={UserPlus}>
      Add Client
    </QuickAction>
  )
}
