import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { preloadWidgets, Slot } from '#modules/core/slot.tsx'
import { fillSlot } from '#modules/core/slots.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { TypeFields } from '../components/type-fields.tsx'
import { maxQuestions, typeFormFields } from '../booking-fields.ts'
import { TypeForm } from '../forms.ts'
import { getProspects } from '../prospects.ts'
import { listProductChoices, takesCards } from '../paid-bookings/online-sales.ts'
import { listSchedules } from '../queries/schedules.ts'
import { getAppointmentType, getTypeVersion } from '../queries/types.ts'
import { updateType } from '../services/types.ts'
import { typeFormValues } from '../type-form-values.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data?.type.name ?? 'Appointment Type')

export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const typeId = parseId(params.id)
  // Before the values: a save between the two is a conflict then.
  const version = await getTypeVersion(ctx, typeId)
  const type = await getAppointmentType(ctx, typeId)
  const [schedules, cards, products, filled] = await Promise.all([
    listSchedules(ctx),
    takesCards(ctx),
    listProductChoices(ctx, type.productId),
    fillSlot(ctx, 'appointment-type.card', params).then(preloadWidgets),
  ])
  const { id, name, questions } = type
  const questionCount = Math.min(questions.length + 2, maxQuestions)
  return {
    type: { id, name, version, values: typeFormValues(type, questionCount, ctx.account.currency) },
    questionCount,
    cards: filled,
    hasProspects: getProspects(ctx) !== null,
    takesCards: cards,
    products,
    schedules: schedules.toReversed().map((schedule) => ({ value: String(schedule.id), label: schedule.name })),
  }
}

const messages = { save: { done: 'Appointment type updated', failed: 'Failed to update appointment type' } }

export const action = formActions(
  messages,
  {
    save: {
      schema: TypeForm,
      run: (ctx, { id, version, ...input }) => updateType(ctx, id, input, { expectedVersion: version }),
    },
  },
  { home: '/calendar/availability' },
)

export const clientAction = formClientAction(messages)

export default function TypePage() {
  const { type, questionCount, cards, ...choices } = useLoaderData<typeof loader>()
  return (
    <Page
      title={type.name}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Availability', to: '/calendar/availability' },
        { label: 'Type' },
      ]}
      description="How this appointment type can be booked."
      actions={<ButtonLink to={`/calendar/sharing?type=${type.id}`}>Booking Link</ButtonLink>}
    >
      <Card title="Booking" className="max-w-3xl">
        <BookingForm key={`${type.id} ${questionCount}`} type={type} questions={questionCount} {...choices} />
      </Card>
      <Slot filled={cards} />
    </Page>
  )
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

function BookingForm({ type, questions, ...choices }: Omit<Loaded, 'questionCount' | 'cards'> & { questions: number }) {
  const { version, values } = type
  const state = useServerForm(typeFormFields(questions), { id: 'type', intent: 'save', values })
  const conflict = useEditConflict(state, { noun: 'appointment type', current: { version, values } })
  const { form, busy } = state
  return (
    <Form
      key={conflict.key}
      method="post"
      {...form.props}
      className="grid gap-6 border-t border-line-soft px-5 py-5"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="id" value={type.id} />
      {conflict.inputs}
      {conflict.notice}
      <TypeFields fields={conflict.fields} questions={questions} {...choices} />
      <div className="flex justify-end gap-2">
        <HistoryLink kind="appointment_type" id={type.id} />
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save
        </Button>
      </div>
    </Form>
  )
}
