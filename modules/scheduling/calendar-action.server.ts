import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { formOf, submit } from '#app/lib/form-submission.ts'
import { dateOf } from '#app/lib/time.ts'
import { chosen } from '#app/lib/edit-conflict.ts'
import { attempt, backTo, press } from '#modules/core/run-action.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { calendarAddress, calendarState, withoutDialog } from './calendar-state.ts'
import {
  AppointmentEditForm,
  AppointmentForm,
  AppointmentTypeFields,
  Completion,
  endsTooEarly,
  MoveForm,
  nobodyChosen,
} from './forms.ts'
import type { AppointmentRecord } from './output.ts'
import { completeSession, deleteAppointment, editAppointment, restoreAppointment } from './services/appointments.ts'
import { editByClock, scheduleByClock } from './services/local-schedule.ts'
import { addType, deleteType, editType, restoreType } from './services/types.ts'
import { sorry } from './failure-messages.ts'
import { appointmentStatuses, statusWords } from './statuses.ts'
import { whenWords } from './format.ts'

/** Does what a form of the calendar asks for, by its `intent`, wherever the form stands. Throws bad_request for one that is not known. */
export async function calendarDeed(request: Request, context: AppLoadContext) {
  const ctx = context.coach()
  const form = await formOf(request.clone())
  const id = parseId(form.get('id'))
  const here = withoutDialog(backTo(request, '/calendar'))
  const error = (failed: string) => ({ to: here, sorry: failed })
  switch (form.get('intent')) {
    case 'schedule':
      return submit(
        request,
        AppointmentForm,
        (input) => attempt(context, sorry.schedule, (tx) => scheduleByClock(tx, input)),
        {
          to: (appointment) => besideIt(ctx, here, appointment),
          toast: (appointment) => ({ tone: 'success', title: 'Appointment Created', text: whenOf(ctx, appointment) }),
          invalid: (messages) =>
            problemOf(messages, 'Please fill in all required fields including selecting either a client or prospect.'),
        },
      )
    case 'edit':
      return submit(
        request,
        AppointmentEditForm,
        ({ version, ...input }) =>
          attempt(context, sorry.edit, (tx) => editByClock(tx, id, chosen(input, form), version)),
        {
          to: (appointment) => besideIt(ctx, here, appointment),
          toast: (appointment) => ({ tone: 'success', title: 'Appointment Updated', text: whenOf(ctx, appointment) }),
          invalid: (messages) => problemOf(messages, 'Please fill in all required fields.'),
        },
      )
    case 'complete':
      return submit(
        request,
        Completion,
        (input) => attempt(context, sorry.complete, (tx) => completeSession(tx, id, input)),
        {
          to: here,
          toast: ({ title }) => ({ tone: 'success', title: 'Session Completed', text: title }),
          failed: 'Completion Failed',
        },
      )
    case 'status': {
      const status = appointmentStatuses.find((known) => known === form.get('status')) ?? 'scheduled'
      const was = appointmentStatuses.find((known) => known === form.get('was'))
      const undo =
        was && status === 'cancelled'
          ? { action: { label: 'Undo', to: '/calendar', fields: { intent: 'status', id: String(id), status: was } } }
          : {}
      return press(context, {
        ...error(sorry.edit),
        done: {
          tone: 'success',
          title: 'Appointment Updated',
          text: `The session is ${statusWords[status].toLowerCase()}.`,
          ...undo,
        },
        work: (tx) => editAppointment(tx, id, { status }),
      })
    }
    case 'move': {
      const times = MoveForm.safeParse(Object.fromEntries(form))
      if (!times.success) throw new AppError('bad_request', 'This form is not known here.')
      return press(context, {
        ...error(sorry.edit),
        done: { tone: 'success', title: 'Appointment Updated', text: 'It is back where it was.' },
        work: (tx) => editAppointment(tx, id, times.data),
      })
    }
    case 'delete':
      return press(context, {
        ...error(sorry.delete),
        done: {
          tone: 'success',
          title: 'Appointment Deleted',
          action: { label: 'Undo', to: '/calendar', fields: { intent: 'restore', id: String(id) } },
        },
        work: (tx) => deleteAppointment(tx, id),
      })
    case 'restore':
      return press(context, {
        ...error(sorry.restore),
        done: { tone: 'success', title: 'Appointment restored' },
        work: (tx) => restoreAppointment(tx, id),
      })
    default:
      return typeDeed(request, context, form)
  }
}

/** What is done with appointment types: in Settings, over it. */
function typeDeed(request: Request, context: AppLoadContext, form: FormData) {
  const id = parseId(form.get('id'))
  const to = '/settings'
  switch (form.get('intent')) {
    case 'add-type':
      return submit(
        request,
        AppointmentTypeFields,
        (input) => attempt(context, sorry['add-type'], (tx) => addType(tx, input)),
        { to, toast: 'Appointment type created' },
      )
    case 'edit-type':
      return submit(
        request,
        AppointmentTypeFields,
        (input) => attempt(context, sorry['edit-type'], (tx) => editType(tx, id, input)),
        { to, toast: 'Appointment type updated' },
      )
    case 'delete-type':
      return press(context, {
        to,
        sorry: sorry['delete-type'],
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
        sorry: sorry['restore-type'],
        done: { tone: 'success', title: 'Appointment type restored' },
        work: (tx) => restoreType(tx, id),
      })
    default:
      throw new AppError('bad_request', 'This form is not known here.')
  }
}

/** Back where one was; on the calendar, where the appointment lies. */
function besideIt(ctx: Ctx, here: string, { startTime }: AppointmentRecord): string {
  const [path, query = ''] = here.split('?')
  return path === '/calendar'
    ? calendarAddress({ ...calendarState(new URLSearchParams(query)), date: dateOf(startTime, ctx.account.timezone) })
    : here
}

function whenOf({ account: { timezone }, now }: Ctx, { startTime, endTime }: AppointmentRecord): string {
  return whenWords(startTime, endTime, timezone, dateOf(now(), timezone))
}

/** The toasts of part-2 §5 and §8. */
function problemOf(messages: Record<string, string[] | null>, missing: string): ToastMessage | undefined {
  const said = Object.values(messages).flatMap((of) => of ?? [])
  const needed = said.filter((message) => message.endsWith(' is required') || message === nobodyChosen)
  if (needed.length)
    return {
      tone: 'error',
      title: 'Missing Information',
      text: needed.length === 1 && needed[0] === nobodyChosen ? nobodyChosen : missing,
    }
  return said.includes(endsTooEarly) ? { tone: 'error', title: 'Invalid Time', text: endsTooEarly } : undefined
}
