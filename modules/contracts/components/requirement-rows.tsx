import { Form } from '@remix-run/react'
import { X } from 'lucide-react'
import { IconButton } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { templateUrl } from '../list-state.ts'
import type { RequirementView } from '../requirements-loader.server.ts'

/** The contracts that sessions and products require, with a button that ends it. */
export function RequirementRows({ requirements }: { requirements: RequirementView[] }) {
  if (!requirements.length)
    return (
      <p className="border-t border-line-soft p-5 text-ink-2">
        No product and no appointment type requires a contract. Those of an appointment type are chosen on its page.
      </p>
    )
  return (
    <ul className="rows border-t border-line-soft" aria-label="Sent automatically">
      {requirements.map(({ id, contractTemplateId, templateName, condition }) => (
        <li key={id} className="flex items-center gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <Link to={templateUrl(contractTemplateId).href()} className="font-medium wrap-anywhere hover:underline">
              {templateName}
            </Link>
            <p className="text-sm text-ink-3 wrap-anywhere">{condition}</p>
          </div>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value="remove-requirement" />
            <input type="hidden" name="id" value={id} />
            <IconButton type="submit" size="sm" icon={X} label={`Remove ${templateName}: ${condition}`} />
          </Form>
        </li>
      ))}
    </ul>
  )
}
