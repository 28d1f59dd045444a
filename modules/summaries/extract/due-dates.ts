const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

const weekday = new RegExp(`\\b(by|before|until|on|this|next|for)\\s+(next\\s+)?(${weekdays.join('|')})\\b`)
const period = new RegExp(
  `\\b(?:in|within)\\s+(?:the\\s+next\\s+)?(\\d{1,2}|an?|${numbers.slice(1).join('|')}|a couple of)\\s+(days?|weeks?|months?)\\b`,
)
const month = `(${months.join('|')})`
const monthFirst = new RegExp(`\\b${month}\\s+(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s+(\\d{4})\\b)?`)
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month}\\b(?:,?\\s+(\\d{4})\\b)?`)
const dayOfMonth = /\b(?:by|before|until|on)\s+the\s+(\d{1,2})(?:st|nd|rd|th)\b/
const isoDate = /\b(\d{4})-(\d{2})-(\d{2})\b/

/**
 * The date in a sentence that was said on `today`, both such as '2026-03-14'. Null where none is named: "next week" is no
 * date. "Next Friday" is that of the following week.
 */
export function findDueDate(sentence: string, today: string): string | null {
  const text = sentence.toLowerCase()
  const at = Date.parse(`${today}T00:00:00Z`)
  const found =
    findCalendarDate(text, at) ??
    findWeekday(text, at) ??
    findPeriod(text, at) ??
    findDayOfMonth(text, at) ??
    findNearDay(text, at)
  return found === null ? null : new Date(found).toISOString().slice(0, 10)
}

const day = 86_400_000

function findCalendarDate(text: string, today: number): number | null {
  const iso = isoDate.exec(text)
  if (iso) return toDate(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  const first = monthFirst.exec(text)
  const second = dayFirst.exec(text)
  const [name, date, year] = first ? [first[1], first[2], first[3]] : second ? [second[2], second[1], second[3]] : []
  if (name === undefined) return null
  const index = months.indexOf(name)
  if (year !== undefined) return toDate(Number(year), index, Number(date))
  const thisYear = new Date(today).getUTCFullYear()
  const inThisYear = toDate(thisYear, index, Number(date))
  return inThisYear !== null && inThisYear >= today ? inThisYear : toDate(thisYear + 1, index, Number(date))
}

function findWeekday(text: string, today: number): number | null {
  const [, preposition, next, name] = weekday.exec(text) ?? []
  if (name === undefined) return null
  const todayIndex = new Date(today).getUTCDay()
  const index = weekdays.indexOf(name)
  if (!next && preposition !== 'next') return today + (((index - todayIndex + 6) % 7) + 1) * day
  const toMonday = (8 - todayIndex) % 7 || 7
  return today + (toMonday + ((index + 6) % 7)) * day
}

function findPeriod(text: string, today: number): number | null {
  const [, count, unit] = period.exec(text) ?? []
  if (count === undefined || unit === undefined) return null
  const amount = /^an?$/.test(count)
    ? 1
    : count === 'a couple of'
      ? 2
      : /^\d/.test(count)
        ? Number(count)
        : numbers.indexOf(count)
  if (!unit.startsWith('month')) return today + amount * (unit.startsWith('week') ? 7 : 1) * day
  const date = new Date(today)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + amount + 1, 0)).getUTCDate()
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + amount, Math.min(date.getUTCDate(), last))
}

function findDayOfMonth(text: string, today: number): number | null {
  const date = new Date(today)
  if (/\bend of (?:the|this) month\b/.test(text)) return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)
  const dayNumber = Number(dayOfMonth.exec(text)?.[1] ?? 0)
  if (!dayNumber) return null
  const inThisMonth = toDate(date.getUTCFullYear(), date.getUTCMonth(), dayNumber)
  if (inThisMonth !== null && inThisMonth >= today) return inThisMonth
  const following = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
  return toDate(following.getUTCFullYear(), following.getUTCMonth(), dayNumber)
}

function findNearDay(text: string, today: number): number | null {
  if (/\bday after tomorrow\b/.test(text)) return today + 2 * day
  if (/\btomorrow\b/.test(text)) return today + day
  return /\b(?:today|tonight|this (?:afternoon|evening))\b/.test(text) ? today : null
}

/** Null for a day that doesn't exist, such as 30 February. */
function toDate(year: number, monthIndex: number, date: number): number | null {
  const at = Date.UTC(year, monthIndex, date)
  return new Date(at).getUTCMonth() === monthIndex && date > 0 ? at : null
}
