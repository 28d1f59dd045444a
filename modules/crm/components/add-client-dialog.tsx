import { Form } from '@remix-run/react'
import { Sparkles } from 'lucide-react'
import type { Timezone } from '#app/lib/timezones.ts'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import type { ProductOption } from '../slots.ts'
import { clientFields } from '../fields.ts'
import { ContactFields } from './client-fields.tsx'

export type PlanLimit = { title: string; clients: number; limit: number | null }

const newClientFields = { ...clientFields, productId: { kind: 'reference', label: 'Product', to: 'product' } } as const

/** When the plan is full, a notice replaces the form, unless the form was submitted already. */
export function AddClientDialog({
  closeTo,
  timezones,
  products,
  plan,
}: {
  closeTo: string
  timezones: Timezone[]
  products: ProductOption[]
  plan: PlanLimit
}) {
  const { form, fields, submitted, busy } = useServerForm(newClientFields, { id: 'add-client', intent: 'add' })
  const isFull = plan.limit !== null && plan.clients >= plan.limit
  if (isFull && !submitted) return <PlanLimitDialog closeTo={closeTo} plan={plan} />
  return (
    <Dialog title="Add Client" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          {isFull ? <PlanLimitNote plan={plan} /> : <FormError id={form.errorId} errors={form.errors} />}
          <ContactFields fields={fields} timezones={timezones} />
          <RichTextField field={fields.goals} label="Goals" rows={3} compact />
          {products.length > 0 && (
            <SelectField field={fields.productId} hint="Recorded as a pending purchase." choices={products}>
              <option value="">No product assigned</option>
            </SelectField>
          )}
          <DialogSubmit busy={busy} busyLabel="Adding...">
            Add Client
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function PlanLimitDialog({ closeTo, plan }: { closeTo: string; plan: PlanLimit }) {
  return (
    <Dialog title="Your plan is full" closeTo={closeTo}>
      <DialogBody>
        <p className="text-ink-2">{describeLimit(plan)}</p>
        <p className="mt-2 text-ink-2">
          To add another client, upgrade your plan or archive someone you no longer see. Archived clients don’t count
          toward your limit.
        </p>
        <DialogActions>
          <DialogClose>Not now</DialogClose>
          <ButtonLink to="/upgrade" variant="primary" icon={Sparkles} data-autofocus>
            Upgrade Plan
          </ButtonLink>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}

function PlanLimitNote({ plan }: { plan: PlanLimit }) {
  return (
    <p className="note" role="alert">
      <Sparkles className="i" />
      <span>
        {describeLimit(plan)} Your entries are kept.{' '}
        <Link to="/upgrade" target="_blank" className="link">
          See the plans
        </Link>{' '}
        or archive a client, then press Add Client again.
      </span>
    </p>
  )
}

function describeLimit({ title, clients, limit }: PlanLimit): string {
  const included = `The ${title} plan includes ${limit} ${limit === 1 ? 'client' : 'clients'}`
  return clients === limit
    ? `${included}, and you have ${clients === 1 ? 'one' : `all ${clients}`}.`
    : `${included}; you have ${clients}.`
}
