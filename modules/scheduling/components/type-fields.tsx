import { amountHint } from '#app/lib/currencies.ts'
import { useCurrency } from '#app/ui/components/currency.ts'
import { SelectField, TextAreaField, TextField, type Choice } from '#app/ui/forms/field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { FormField } from '#app/ui/forms/use-server-form.ts'

type Props = {
  fields: Record<string, FormField>
  questions: number
  schedules: Choice[]
  /** Whether somebody new can become a prospect. */
  hasProspects: boolean
  /** Whether visitors can pay by card now; null where they never can. */
  takesCards: boolean | null
  products: ProductChoices
}

/** `unsold`: why the product of the type isn't sold, so that nobody can book it. */
export type ProductChoices = { choices: Choice[]; unsold: string | null }

/** The description, questions and booking rules of an appointment type. */
export function TypeFields({ fields, questions, schedules, hasProspects, takesCards, products }: Props) {
  const field = (name: string): FormField => fields[name]!
  const number = (name: string, placeholder: string) => (
    <TextField field={field(name)} inputMode="numeric" placeholder={placeholder} autoComplete="off" />
  )
  return (
    <>
      <div className={twoColumns}>
        <TextField field={field('name')} autoComplete="off" />
        <SelectField field={field('visibility')} hint="With the link only: it isn't listed on your booking page." />
        <TextField
          field={field('slug')}
          autoComplete="off"
          placeholder="From the name"
          hint="The end of its link, such as discovery-call."
        />
        <SelectField field={field('confirmation')} />
        {hasProspects ? (
          <SelectField
            field={field('newVisitor')}
            hint="Somebody who books with an email address that you don't have. With a full plan, a prospect."
          />
        ) : (
          <input type="hidden" name="newVisitor" value={String(field('newVisitor').initialValue)} />
        )}
      </div>
      <TextAreaField field={field('description')} hint="Shown on the booking page." />
      <div className={`group ${twoColumns}`}>
        <TextField
          field={field('durations')}
          inputMode="text"
          autoComplete="off"
          hint="One or several, the usual one first: 30, 60."
        />
        <CostFields field={field} products={products} />
        <PaymentFields field={field} takesCards={takesCards} />
        <SelectField field={field('locationKind')} />
        <TextField field={field('locationDetail')} autoComplete="off" />
        <TextField field={field('color')} autoComplete="off" placeholder="#3B82F6" />
      </div>
      <fieldset className="grid gap-4">
        <legend className="mb-2 font-semibold">When it can be booked</legend>
        <p className="hint">Empty fields follow the schedule. The limits count this type alone.</p>
        <div className={twoColumns}>
          <SelectField field={field('scheduleId')} choices={schedules} fieldClass="sm:col-span-2">
            <option value="">Default schedule</option>
          </SelectField>
          {number('minimumNoticeMinutes', 'As the schedule')}
          {number('bookingWindowDays', 'As the schedule')}
          {number('bufferBefore', 'As the schedule')}
          {number('bufferAfter', 'As the schedule')}
          {number('dailyLimit', 'No limit')}
          {number('weeklyLimit', 'No limit')}
          {number('slotIntervalMinutes', 'As the schedule')}
          {number('cancellationNoticeMinutes', 'No limit')}
        </div>
      </fieldset>
      <fieldset className="grid gap-4">
        <legend className="mb-2 font-semibold">Emails</legend>
        <p className="hint">
          To those who were emailed about their session. Empty: as for all types, on the{' '}
          <Link className="link" to="/calendar/messages">
            Messages page
          </Link>
          .
        </p>
        <div className={twoColumns}>
          <TextField
            field={field('reminderMinutes')}
            autoComplete="off"
            placeholder="As for all types"
            hint="Such as 24 h, 1 h; or none."
          />
          <SelectField field={field('followUp')}>
            <option value="">As for all types</option>
          </SelectField>
        </div>
      </fieldset>
      <fieldset className="grid gap-4">
        <legend className="mb-2 font-semibold">Questions</legend>
        <p className="hint">Asked when somebody books. Clear a question to remove it; save to get more rows.</p>
        {Array.from({ length: questions }, (_, index) => (
          <Question key={index} index={index} field={field} />
        ))}
      </fieldset>
    </>
  )
}

type Find = (name: string) => FormField

/** Hides the input that the choice doesn't use. */
function CostFields({ field, products: { choices, unsold } }: { field: Find; products: ProductChoices }) {
  const currency = useCurrency()
  const cost = field('cost')
  return (
    <>
      <SelectField
        field={cost}
        choices={cost.choices?.filter(({ value }) => value !== 'product' || choices.length > 0)}
        hint={choices.length > 0 && 'A product with sessions is a package: the booked session is its first.'}
      />
      <TextField
        field={field('priceCents')}
        hint={amountHint(currency)}
        inputMode="decimal"
        fieldClass="hidden group-has-[[value=price]:checked]:grid"
      />
      {choices.length > 0 && (
        <SelectField
          field={field('productId')}
          choices={choices}
          hint={unsold}
          fieldClass="hidden group-has-[[value=product]:checked]:grid"
        >
          <option value="">Choose a product</option>
        </SelectField>
      )}
    </>
  )
}

/** Whether it is paid when booking, and what becomes of the payment when it is cancelled. */
function PaymentFields({ field, takesCards }: { field: Find; takesCards: boolean | null }) {
  const isPaid = field('payment').initialValue === 'booking'
  if (!takesCards && !isPaid)
    return (
      <>
        <input type="hidden" name="payment" value="later" />
        <input type="hidden" name="refund" value={String(field('refund').initialValue)} />
        {takesCards === false && (
          <p className="hint sm:col-span-2">
            Clients can pay when they book once you have{' '}
            <Link className="link" to="/settings/payments">
              connected card payments
            </Link>
            .
          </p>
        )}
      </>
    )
  return (
    <>
      <SelectField
        field={field('payment')}
        hint={
          takesCards
            ? 'Booked once it is paid. Personal links book without paying.'
            : 'Card payments are not ready: nobody can book it now.'
        }
      />
      <SelectField
        field={field('refund')}
        hint="What was paid when booking. Clients read it before they pay. You always decide about a package."
      />
    </>
  )
}

const twoColumns = 'grid items-start gap-4 sm:grid-cols-2'

function Question({ index, field }: { index: number; field: Find }) {
  return (
    <div className="grid items-start gap-3 border-t border-line-soft pt-4 sm:grid-cols-2">
      <TextField field={field(`label${index}`)} autoComplete="off" fieldClass="sm:col-span-2" />
      <div className="grid grid-cols-2 gap-3">
        <SelectField field={field(`kind${index}`)} />
        <SelectField field={field(`required${index}`)} />
      </div>
      <TextField field={field(`options${index}`)} autoComplete="off" placeholder="Only for a choice" />
    </div>
  )
}
