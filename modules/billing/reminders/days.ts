// The days after the due date on which clients are reminded, as coaches write them: '3, 7, 14'.

export const maxReminders = 5
export const maxReminderDay = 90
export const reminderDaysMessage = `Enter up to ${maxReminders} numbers of days from 1 to ${maxReminderDay}, such as 3, 7, 14`

/** '14, 3' as [3, 14]. Null for another text. */
export function parseReminderDays(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean)
  const days = [...new Set(parts.map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 0)))].sort((a, b) => a - b)
  const isValid =
    days.length > 0 && days.length <= maxReminders && days.every((day) => day >= 1 && day <= maxReminderDay)
  return isValid ? days : null
}
