import { CalendarPlus } from 'lucide-react'
import { QuickAction } from '#app/ui/components/quick-action.tsx'

export default function ScheduleSessionAction() {
  return (
    <QuickAction to="/calendar?dialog=schedule" icon={CalendarPlus}>
      Schedule Session
    </QuickAction>
  )
}
