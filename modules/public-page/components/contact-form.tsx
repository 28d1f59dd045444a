import { FormError, TextAreaField, TextField, type FieldState } from '#app/ui/forms/field.tsx'
import { contactFields } from '../fields.ts'

export type ContactFormFields = Record<keyof typeof contactFields, FieldState>

/** The fields of an empty form. */
export const emptyFields = Object.fromEntries(
  Object.entries(contactFields).map(([name, { label, required }]) => [
    name,
    { id: `contact-${name}`, name, label, required: Boolean(required) },
  ]),
) as ContactFormFields

/** Plain HTML, on the public page and on its own one, which keeps what was typed if it isn't sent. */
export function ContactForm({
  fields,
  signature,
  errors,
}: {
  fields: ContactFormFields
  signature: string
  errors?: string[] | undefined
}) {
  return (
    <form method="post" action="/contact" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="send" />
      <input type="hidden" name="signature" value={signature} />
      <FormError id="contact-problem" errors={errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.name} autoComplete="name" maxLength={contactFields.name.max} />
        <TextField field={fields.email} type="email" autoComplete="email" />
      </div>
      <TextAreaField field={fields.message} rows={6} maxLength={contactFields.message.max} />
      <div hidden>
        <label htmlFor="contact-website">Website</label>
        <input id="contact-website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <button type="submit" className="btn btn-primary btn-lg justify-self-start max-sm:w-full">
        Send Message
      </button>
    </form>
  )
}
