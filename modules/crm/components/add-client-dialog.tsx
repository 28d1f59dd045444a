import { Form } from '@remix-run/react'
import { Sparkles } from 'lucide-react'
import type { Zone } from '#app/lib/timezones.ts'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { FormError, SelectField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { RichTextField } from '#app/ui/rich-text/field.tsx'
import type { ProductChoice } from '../slots.ts'
import { ContactFields, type ClientFormFields } from './client-fields.tsx'

export type PlanLine = { title: string; clients: number; limit: number | null }

/** Adds a client. When the plan is full it says so instead of letting one type in vain; what was typed already stays. */
export function AddClientDialog({
  closeTo,
  zones,
  products,
  plan,
}: {
  closeTo: string
  zones: Zone[]
  products: ProductChoice[]
  plan: PlanLine
}) {
  const { form, fields, busy } = useServerForm<ClientFormFields & { productId: string }>({
    id: 'add-client',
    intent: 'add',
  })
  const full = plan.limit !== null && plan.clients >= plan.limit
  const tried = Boolean(form.errors?.length || fields.name.initialValue)
  if (full && !tried) return <PlanIsFull closeTo={closeTo} plan={plan} />
  return (
    <Dialog title="Add Client" closeTo={closeTo}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          {full ? <FullNote plan={plan} /> : <FormError id={form.errorId} errors={form.errors} />}
          <ContactFields fields={fields} zones={zones} />
          <RichTextField field={fields.goals} label="Goals" rows={3} />
          {products.length > 0 && (
            <SelectField
              field={fields.productId}
              label="Product"
              hint="It is noted as a pending purchase."
              choices={products}
            >
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

function PlanIsFull({ closeTo, plan }: { closeTo: string; plan: PlanLine }) {
  return (
    <Dialog title="Your plan is full" closeTo={closeTo}>
      <DialogBody>
        <p className="text-ink-2">{sentence(plan)}</p>
        <p className="mt-2 text-ink-2">
          Everyone stays where they are. To add someone, move to a larger plan, or archive a client you no longer see:
          archived clients keep their notes and don’t count.
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

function FullNote({ plan }: { plan: PlanLine }) {
  return (
    <p className="note" role="alert">
      <Sparkles className="i" />
      <span>
        {sentence(plan)} What you typed stays here.{' '}
        <Link to="/upgrade" target="_blank" className="link">
          See the plans
        </Link>{' '}
        or archive a client, then press Add Client again.
      </span>
    </p>
  )
}

function sentence({ title, clients, limit }: PlanLine): string {
  const included = `The ${title} plan includes ${limit} ${limit === 1 ? 'client' : 'clients'}`
  return clients === limit
    ? `${included}, and you have ${clients === 1 ? 'one' : `all ${clients}`}.`
    : `${included}; you have ${clients}.`
}
