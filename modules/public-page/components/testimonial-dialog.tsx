import { Form } from '@remix-run/react'
import { formValues } from '#app/lib/fields.ts'
import { ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { FieldNote, SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { testimonialFields, testimonialFormFields } from '../fields.ts'
import type { TestimonialRecord } from '../records.ts'

type Edited = TestimonialRecord & { version: number; permissionDate: string }
type Props = { testimonial?: Edited; closeTo: string; deleteTo?: string }

/** Adds a testimonial, or edits `testimonial`. */
export function TestimonialDialog({ testimonial, closeTo, deleteTo }: Props) {
  const intent = testimonial ? 'edit' : 'add'
  const values = { ...formValues(testimonialFields, testimonial), permission: '' }
  const state = useServerForm(testimonialFormFields, { id: 'testimonial', intent, values })
  const current = testimonial ? { version: testimonial.version, values } : null
  const conflict = useEditConflict(state, { noun: 'testimonial', current })
  const { form, busy, submitted } = state
  const { fields } = conflict
  const { permission } = fields
  const hint = testimonial && (
    <>Permission confirmed: {testimonial.permissionDate}. Needed again when the quote, name or role changes.</>
  )
  return (
    <Dialog title={testimonial ? 'Edit Testimonial' : 'Add Testimonial'} closeTo={closeTo}>
      <DialogBody>
        <Form key={conflict.key} method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value={intent} />
          {testimonial && <input type="hidden" name="id" value={testimonial.id} />}
          {conflict.inputs}
          {conflict.notice}
          <TextAreaField
            field={fields.quote}
            rows={6}
            maxLength={testimonialFields.quote.max}
            className="prose-serif"
            hint="In your client’s own words. At most 1,000 characters."
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField field={fields.name} autoComplete="off" hint="As your client wants it: initials are fine." />
            <TextField field={fields.role} autoComplete="off" />
          </div>
          <SelectField field={fields.isShown} />
          <div>
            <label className="flex items-start gap-2.5">
              <input
                type="checkbox"
                id={permission.id}
                name="permission"
                value="yes"
                className="check mt-1"
                defaultChecked={submitted?.permission === 'yes'}
                aria-required={!testimonial || undefined}
                aria-invalid={Boolean(permission.errors?.length) || undefined}
                aria-describedby={
                  permission.errors?.length ? `${permission.id}-error` : hint ? `${permission.id}-hint` : undefined
                }
              />
              <span>{testimonial ? 'I have permission to publish this text' : permission.label}</span>
            </label>
            {/* The first value counts. A field that isn't sent would have no error of its own. */}
            {testimonial && <input type="hidden" name="permission" value="" />}
            <FieldNote field={permission} hint={hint} />
          </div>
          <DialogSubmit
            busy={busy}
            aside={
              testimonial && (
                <>
                  <HistoryLink kind="testimonial" id={testimonial.id} />
                  {deleteTo && (
                    <ButtonLink variant="danger-ghost" to={deleteTo} replace preventScrollReset>
                      Delete
                    </ButtonLink>
                  )}
                </>
              )
            }
          >
            {testimonial ? 'Save Testimonial' : 'Add Testimonial'}
          </DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}
