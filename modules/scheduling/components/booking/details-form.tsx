import { Form } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { CircleAlert } from '#app/ui/components/icons.tsx'
import { FieldNote, FormError, SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm, type FormField } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import type { Question } from '../../booking-fields.ts'
import { answerFields, answerName, visitorFields } from '../../booking/booking-form.ts'
import type { BookingDetails } from '../../booking/booking-loader.server.ts'
import { placeLabels } from '../../booking/places.ts'

/**
 * The visitor's details for a time. If it is taken, other times are offered in the same form, so that nothing is lost.
 */
export function DetailsForm({
  details,
  person,
  action,
  toCalendar,
  isEmbedded,
}: {
  details: BookingDetails
  /** A personal link books for nobody else. */
  person: { name: string; email: string } | null
  action: string
  toCalendar: string
  isEmbedded: boolean
}) {
  const { questions, signature } = details
  const { form, fields, submitted } = useServerForm(
    { ...visitorFields, ...answerFields(questions) },
    { id: 'booking', intent: 'book', ...(person ? { values: person } : {}) },
  )
  const sentSignature = submitted?.signature
  return (
    <Form
      method="post"
      reloadDocument
      action={action}
      // The payment doesn't open in a frame.
      target={isEmbedded && details.payment ? '_blank' : undefined}
      {...form.props}
      className="grid gap-4"
    >
      <input type="hidden" name="intent" value="book" />
      <input
        type="hidden"
        name="signature"
        value={typeof sentSignature === 'string' && form.errors === undefined ? sentSignature : signature}
      />
      <FormError id={form.errorId} errors={form.errors} />
      {details.isFree ? (
        <input type="hidden" name="start" value={details.start} />
      ) : (
        <OtherTimes field={fields.start} details={details} toCalendar={toCalendar} />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.name} autoComplete="name" readOnly={person !== null} />
        <TextField field={fields.email} type="email" autoComplete="email" readOnly={person !== null} />
      </div>
      {details.asksPlace && (
        <SelectField
          field={fields.place}
          choices={[
            { value: '', label: 'Choose' },
            ...Object.entries(placeLabels).map(([value, label]) => ({ value, label })),
          ]}
        />
      )}
      {details.asksPhone && (
        <TextField
          field={fields.phone}
          type="tel"
          autoComplete="tel"
          hint={details.asksPlace ? 'If you want to be called' : undefined}
        />
      )}
      {questions.map((question, index) => (
        <AnswerField key={question.id} question={question} field={fields[answerName(index) as keyof typeof fields]} />
      ))}
      <TextAreaField field={fields.notes} label="Anything else (optional)" maxLength={visitorFields.notes.max} />
      <div hidden>
        <label htmlFor="booking-website">Website</label>
        <input id="booking-website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <Button type="submit" variant="primary" size="lg" className="justify-self-start max-sm:w-full">
        {details.payment ? 'Continue to payment' : details.needsConfirmation ? 'Request this time' : 'Book this time'}
      </Button>
      {details.payment && (
        <p className="text-sm text-ink-3">
          You enter your card on the next page, at Stripe. We keep the time for you meanwhile.
        </p>
      )}
    </Form>
  )
}

function AnswerField({
  question: { kind, label, required, options },
  field,
}: {
  question: Question
  field: FormField
}) {
  const shown = required ? label : `${label} (optional)`
  if (kind === 'choice')
    return (
      <SelectField
        field={field}
        label={shown}
        choices={[{ value: '', label: 'Choose' }, ...options.map((option) => ({ value: option, label: option }))]}
      />
    )
  const Control = kind === 'long' ? TextAreaField : TextField
  return <Control field={field} label={shown} maxLength={2000} />
}

function OtherTimes({
  field,
  details: { instead },
  toCalendar,
}: {
  field: FormField
  details: BookingDetails
  toCalendar: string
}) {
  return (
    <fieldset className="rounded-md bg-danger-soft px-3.5 py-3 shadow-[inset_0_0_0_1px_var(--danger-line)]">
      <legend className="sr-only">Choose another time</legend>
      <p role="alert" className="flex gap-2.5 text-danger-text">
        <CircleAlert className="i mt-0.5 shrink-0" />
        This time has just been taken.{' '}
        {instead.length ? 'Choose another one; what you have written stays.' : 'There are no other free times.'}
      </p>
      <div className="mt-2 grid gap-x-4 sm:grid-cols-2">
        {instead.map(({ value, label }) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name="start"
              value={value}
              className="check"
              defaultChecked={field.initialValue === value}
            />
            {label}
          </label>
        ))}
      </div>
      <FieldNote field={field} />
      <Link className="link hit text-sm" to={toCalendar}>
        See all free times
      </Link>
    </fieldset>
  )
}
