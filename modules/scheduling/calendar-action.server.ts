import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { parseId } from '#app/lib/url.ts'
import { readForm, submit } from '#app/lib/form-submission.ts'
import { localDate } from '#app/lib/time.ts'
import { resolveConflict } from '#app/lib/edit-conflict.ts'
import { attempt, backTo, press } from '#modules/core/run-action.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { calendarHref, parseCalendarState, withoutDialog } from './calendar-state.ts'
import {
  AppointmentEditForm,
  AppointmentForm,
  AppointmentTypeFields,
  Completion,
  endsBeforeStart,
  MoveForm,
  attendeeRequired,
} from './forms.ts'
import type { AppointmentRecord } from './output.ts'
import { completeSession, deleteAppointment, editAppointment, restoreAppointment } from './services/appointments.ts'
import { editAppointmentFromForm, addAppointmentFromForm } from './services/local-schedule.ts'
import { addType, deleteType, editType, restoreType } from './services/types.ts'
import { failureMessages } from './failure-messages.ts'
import { appointmentStatuses, statusLabels } from './statuses.ts'
import { formatDateTimeRange } from './format.ts'

/** Handles the forms of the calendar and of appointment types, by `intent`. Throws bad_request for an unknown one. */
export async function calendarAction(request: Request, context: AppLoadContext) {
  const ctx = context.coach()
  const form = await readForm(request.clone())
  const id = parseId(form.get('id'))
  const here = withoutDialog(backTo(request, '/calendar'))
  const onFailure = (failed: string) => ({ to: here, sorry: failed })
  switch (form.get('intent')) {
    case 'schedule':
      return submit(
        request,
        AppointmentForm,
        (input) => attempt(context, failureMessages.schedule, (tx) => addAppointmentFromForm(tx, input)),
        {
          to: (appointment) => calendarDayHref(ctx, here, appointment),
          toast: (appointment) => ({
            tone: 'success',
            title: 'Appointment Created',
            text: formatWhen(ctx, appointment),
          }),
          invalid: (messages) =>
            validationToast(
              form,
              messages,
              'Please fill in all required fields including selecting either a client or prospect.',
            ),
        },
      )
    case 'edit':
      return submit(
        request,
        AppointmentEditForm,
        ({ version, ...input }) =>
          attempt(context, failureMessages.edit, (tx) =>
            editAppointmentFromForm(tx, id, resolveConflict(input, form), version),
          ),
        {
          to: (appointment) => calendarDayHref(ctx, here, appointment),
          toast: (appointment) => ({
            tone: 'success',
            title: 'Appointment Updated',
            text: formatWhen(ctx, appointment),
          }),
          invalid: (messages) => validationToast(form, messages, 'Please fill in all required fields.'),
        },
      )
    case 'complete':
      return submit(
        request,
        Completion,
        (input) => attempt(context, failureMessages.complete, (tx) => completeSession(tx, id, input)),
        {
          to: here,
          toast: ({ title }) => ({ tone: 'success', title: 'Session Completed', text: title }),
          failed: 'Completion Failed',
        },
      )
    case 'status': {
      const status = appointmentStatuses.find((candidate) => candidate === form.get('status')) ?? 'scheduled'
      const previous = appointmentStatuses.find((candidate) => candidate === form.get('was'))
      const undo =
        previous && status === 'cancelled'
          ? {
              action: {
                label: 'Undo',
                to: '/calendar',
                fields: { intent: 'status', id: String(id), status: previous },
              },
            }
          : {}
      return press(context, {
        ...onFailure(failureMessages.edit),
        done: {
          tone: 'success',
          title: 'Appointment Updated',
          text: `The session is ${statusLabels[status].toLowerCase()}.`,
          ...undo,
        },
        work: (tx) => editAppointment(tx, id, { status }),
      })
    }
    case 'move': {
      const times = MoveForm.safeParse(Object.fromEntries(form))
      if (!times.success) throw new AppError('bad_request', 'Unknown form.')
      return press(context, {
        ...onFailure(failureMessages.edit),
        done: { tone: 'success', title: 'Appointment Updated', text: 'The session is back where it was.' },
        work: (tx) => editAppointment(tx, id, times.data),
      })
    }
    case 'delete':
      return press(context, {
        ...onFailure(failureMessages.delete),
        done: {
          tone: 'success',
          title: 'Appointment Deleted',
          action: { label: 'Undo', to: '/calendar', fields: { intent: 'restore', id: String(id) } },
        },
        work: (tx) => deleteAppointment(tx, id),
      })
    case 'restore':
      return press(context, {
        ...onFailure(failureMessages.restore),
        done: { tone: 'success', title: 'Appointment restored' },
        work: (tx) => restoreAppointment(tx, id),
      })
    default:
      return appointmentTypeAction(request, context, form)
  }
}

function appointmentTypeAction(request: Request, context: AppLoadContext, form: FormData) {
  const id = parseId(form.get('id'))
  const to = '/settings'
  switch (form.get('intent')) {
    case 'add-type':
      return submit(
        request,
        AppointmentTypeFields,
        (input) => attempt(context, failureMessages['add-type'], (tx) => addType(tx, input)),
        { to, toast: 'Appointment type created' },
      )
    case 'edit-type':
      return submit(
        request,
        AppointmentTypeFields,
        (input) => attempt(context, failureMessages['edit-type'], (tx) => editType(tx, id, input)),
        { to, toast: 'Appointment type updated' },
      )
    case 'delete-type':
      return press(context, {
        to,
        sorry: failureMessages['delete-type'],
        done: {
          tone: 'success',
          title: 'Appointment type deleted',
          action: { label: 'Undo', to: '/calendar', fields: { intent: 'restore-type', id: String(id) } },
        },
        work: (tx) => deleteType(tx, id),
      })
    case 'restore-type':
      return press(context, {
        to,
        sorry: failureMessages['restore-type'],
        done: { tone: 'success', title: 'Appointment type restored' },
        work: (tx) => restoreType(tx, id),
      })
    default:
      throw new AppError('bad_request', 'Unknown form.')
  }
}

/** The page that sent the form; the calendar shows the day of the appointment. */
function calendarDayHref(ctx: Ctx, here: string, { startTime }: AppointmentRecord): string {
  const [path, query = ''] = here.split('?')
  return path === '/calendar'
    ? calendarHref({
        ...parseCalendarState(new URLSearchParams(query)),
        date: localDate(startTime, ctx.account.timezone),
      })
    : here
}

function formatWhen({ account: { timezone }, now }: Ctx, { startTime, endTime }: AppointmentRecord): string {
  return formatDateTimeRange(startTime, endTime, timezone, localDate(now(), timezone))
}

/** The toasts of part-2 §5 and §8. */
function validationToast(
  form: FormData,
  messages: Record<string, string[] | null>,
  missingText: string,
): ToastMessage | undefined {
  const missing = requiredFields.filter((name) => !String(form.get(name) ?? '').trim())
  if (missing.length || messages.attendee) {
    const text = missing.every((name) => name === 'attendee') ? attendeeRequired : missingText
    return { tone: 'error', title: 'Missing Information', text }
  }
  return messages.endTime?.includes(endsBeforeStart)
    ? { tone: 'error', title: 'Invalid Time', text: endsBeforeStart }
    : undefined
}
const requiredFields = ['title', 'attendee', 'date', 'startTime', 'endTime']
