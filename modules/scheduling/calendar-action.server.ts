import { AppError } from '#app/lib/errors.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { localDate } from '#app/lib/time.ts'
import { ById, formActions, success, type FormRequest } from '#modules/core/form-actions.server.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { messages } from './action-messages.ts'
import { calendarUrl, withoutDialog } from './calendar-state.ts'
import { overlapFields, statusLabels } from './fields.ts'
import {
  AppointmentEditForm,
  AppointmentForm,
  AppointmentTypeEditForm,
  AppointmentTypeNameForm,
  attendeeRequired,
  CompletionForm,
  DeleteForm,
  endsBeforeStart,
  MoveForm,
  SessionNotesForm,
  StatusForm,
} from './forms.ts'
import { formatDateTimeRange } from './format.ts'
import { getAppointment } from './queries/appointments.ts'
import { describeOverlap } from './queries/overlaps.ts'
import { getSeriesSummary } from './queries/series.ts'
import { isBeingSummarized } from './queries/summary-state.ts'
import type { AppointmentRecord } from './records.ts'
import { addSessionNotes, completeSession, updateAppointment, restoreAppointment } from './services/appointments.ts'
import { createAppointmentFromForm, updateAppointmentFromForm } from './services/local-schedule.ts'
import { deleteAppointments, restoreAppointments } from './services/series.ts'
import { createType, deleteType, updateType, restoreType } from './services/types.ts'

const toSettings = () => '/settings'

/** The forms of the calendar and of appointment types, also those on other pages. */
export const calendarAction = formActions(
  messages,
  {
    schedule: {
      schema: AppointmentForm,
      run: async (ctx, input, { page, form }) => {
        const appointment = await createAppointmentFromForm(ctx, input)
        await warnOfOverlap(ctx, form, appointment, { ofSeries: input.recurrence !== null })
        return showAppointment(ctx, page, appointment, { ofSeries: input.recurrence !== null })
      },
      onInvalid: (errors, { form }) =>
        validationToast(
          form,
          errors,
          'Please fill in all required fields including selecting either a client or prospect.',
        ),
    },
    edit: {
      schema: AppointmentEditForm,
      run: async (ctx, { id, version, scope, ...input }, { page, form }) => {
        const before = await getAppointment(ctx, id)
        const appointment = await updateAppointmentFromForm(ctx, id, input, version, scope)
        const isMoved = before.startTime !== appointment.startTime || before.endTime !== appointment.endTime
        if (isMoved) await warnOfOverlap(ctx, form, appointment, { ofSeries: scope !== 'this' })
        return showAppointment(ctx, page, appointment)
      },
      onInvalid: (errors, { form }) => validationToast(form, errors, 'Please fill in all required fields.'),
    },
    complete: {
      schema: CompletionForm,
      run: async (ctx, { id, ...input }) => {
        const { title } = await completeSession(ctx, id, input)
        const isSummarized = await isBeingSummarized(ctx, id)
        return success({ toast: { text: isSummarized ? `${title} and summary generation started` : title } })
      },
    },
    'add-notes': {
      schema: SessionNotesForm,
      run: async (ctx, { id, ...input }) => {
        const { title } = await addSessionNotes(ctx, id, input)
        return success({ toast: { text: title } })
      },
    },
    status: { schema: StatusForm, isButton: true, run: changeStatus },
    move: { schema: MoveForm, isButton: true, run: (ctx, { id, ...times }) => updateAppointment(ctx, id, times) },
    delete: {
      schema: DeleteForm,
      isButton: true,
      run: async (ctx, { id, scope }) => {
        await deleteAppointments(ctx, id, { scope })
        const intent = scope === 'this' ? 'restore' : 'restore-series'
        return success({ toast: { action: { label: 'Undo', to: '/calendar', fields: { intent, id: String(id) } } } })
      },
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreAppointment(ctx, id) },
    'restore-series': { schema: ById, run: (ctx, { id }) => restoreAppointments(ctx, id) },
    'add-type': {
      schema: AppointmentTypeNameForm,
      run: async (ctx, input) => {
        const { id } = await createType(ctx, input)
        const link = { label: 'Let clients book it', to: `/calendar/types/${id}` }
        return success({ to: toSettings(), toast: { link } })
      },
    },
    'edit-type': {
      schema: AppointmentTypeEditForm,
      run: (ctx, { id, ...input }) => updateType(ctx, id, input),
      to: toSettings,
    },
    'delete-type': {
      schema: ById,
      run: (ctx, { id }) => deleteType(ctx, id),
      undo: 'restore-type',
      to: toSettings,
    },
    'restore-type': { schema: ById, run: (ctx, { id }) => restoreType(ctx, id), to: toSettings },
  },
  { home: '/calendar', dialog: ['dialog', 'appointment', 'type', 'time', 'who', 'prospect'] },
)

/**
 * Throws conflict, and so undoes the change, if another session or a busy time is at that time. The form then sends
 * `overlap`, the values that the coach confirms.
 */
async function warnOfOverlap(
  ctx: Ctx,
  form: FormData,
  appointment: AppointmentRecord,
  { ofSeries }: { ofSeries: boolean },
): Promise<void> {
  const confirmed = overlapFields.map((name) => form.getAll(name).join(',')).join(' ')
  if (appointment.status === 'cancelled' || form.get('overlap') === confirmed) return
  const text = await describeOverlap(ctx, appointment, { ofSeries })
  if (text) throw new AppError('conflict', text, { subject: 'overlap' })
}

/** Returns to the page that sent the form; the calendar shows the day of the appointment. */
async function showAppointment(
  ctx: Ctx,
  page: string,
  { startTime, endTime, seriesId }: AppointmentRecord,
  { ofSeries = false } = {},
) {
  const { timezone } = ctx.account
  const when = formatDateTimeRange(startTime, endTime, ctx.account, localDate(ctx.now(), timezone))
  const series = ofSeries && seriesId !== null ? await getSeriesSummary(ctx, seriesId) : null
  const text = series ? `${when}, and ${series.count - 1} more` : when
  const closed = withoutDialog(page)
  const isCalendar = closed.split('?')[0] === '/calendar'
  const date = localDate(startTime, timezone)
  const to = isCalendar ? calendarUrl.href(calendarUrl.parse(closed), { date }) : closed
  return success({ to, toast: { text } })
}

type StatusChange = { id: number; status: AppointmentRecord['status']; was?: AppointmentRecord['status'] | undefined }

async function changeStatus(ctx: WriteCtx, { id, status, was }: StatusChange, _request: FormRequest) {
  await updateAppointment(ctx, id, { status })
  const text = `The session is ${statusLabels[status].toLowerCase()}.`
  if (!was || status !== 'cancelled') return success({ toast: { text } })
  const undo = { label: 'Undo', to: '/calendar', fields: { intent: 'status', id: String(id), status: was } }
  return success({ toast: { text, action: undo } })
}

const requiredFields = ['title', 'attendee', 'date', 'startTime', 'endTime']

/** The toasts of part-2 §5 and §8. */
function validationToast(
  form: FormData,
  errors: Record<string, string[] | null>,
  missingText: string,
): ToastMessage | undefined {
  const missing = requiredFields.filter((name) => !String(form.get(name) ?? '').trim())
  if (missing.length || errors.attendee) {
    const text = missing.every((name) => name === 'attendee') ? attendeeRequired : missingText
    return { tone: 'error', title: 'Missing Information', text }
  }
  return errors.endTime?.includes(endsBeforeStart)
    ? { tone: 'error', title: 'Invalid Time', text: endsBeforeStart }
    : undefined
}
