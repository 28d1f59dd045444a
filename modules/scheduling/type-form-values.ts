import { formValues } from '#app/lib/fields.ts'
import { inputFormat } from '#app/lib/money.ts'
import { appointmentTypeFields, type Cost } from './booking-fields.ts'
import { formatLeads, noReminders } from './messages/leads.ts'
import type { AppointmentTypeRecord } from './records.ts'

/** The initial values of a type's booking form, with `count` rows for questions. */
export function typeFormValues(type: AppointmentTypeRecord, count: number, currency: string): Record<string, string> {
  const questions = Array.from({ length: count }, (_, index) => {
    const { label = '', kind = 'short', required = false, options = [] } = type.questions[index] ?? {}
    return {
      [`label${index}`]: label,
      [`kind${index}`]: kind,
      [`required${index}`]: required ? 'yes' : 'no',
      [`options${index}`]: options.join(', '),
    }
  })
  return {
    ...formValues(appointmentTypeFields, type, inputFormat(currency)),
    cost: toCost(type),
    durations: type.durations.join(', '),
    reminderMinutes: type.reminderMinutes === null ? '' : formatLeads(type.reminderMinutes) || noReminders,
    ...Object.assign({}, ...questions),
  }
}

function toCost({ priceCents, productId }: AppointmentTypeRecord): Cost {
  if (productId !== null) return 'product'
  return priceCents === null ? 'none' : priceCents === 0 ? 'free' : 'price'
}
