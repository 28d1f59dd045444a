import { Link } from '#app/ui/navigation/link.tsx'

export const PlanNote = () => (
  <p className="note mb-4 !block">
    Automations are part of the Pro and Premium plans. Yours do nothing for now.{' '}
    <Link className="link" to="/upgrade">
      See the plans
    </Link>
  </p>
)
