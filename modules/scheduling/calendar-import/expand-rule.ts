import ICAL from 'ical.js'
import type { LocalTime } from './zones.ts'

/** The milliseconds that the rules of a file may still take. */
export type Budget = { time: number }

/** The most steps of one rule: each day of 68 years. */
const maxSteps = 25_000
/** ical.js takes long for longer steps. */
const maxInterval = 1000

export class RepeatsTooOften extends Error {}

type Options = {
  /** Later occurrences are not listed. */
  until: Date
  /** The local time of an instant in the rule's zone. */
  toLocal: (instant: number) => LocalTime
  budget: Budget
}

/**
 * The local times of a rule. Throws RepeatsTooOften for one that repeats within a day or takes too long, such as one
 * that never matches.
 */
export function expandRule(rule: ICAL.Recur, first: LocalTime, { budget, ...options }: Options): LocalTime[] {
  if (budget.time <= 0) throw new RepeatsTooOften()
  const began = performance.now()
  try {
    return listTimes(rule, first, options)
  } finally {
    budget.time -= performance.now() - began
  }
}

function listTimes(rule: ICAL.Recur, first: LocalTime, { until, toLocal }: Omit<Options, 'budget'>): LocalTime[] {
  if (['SECONDLY', 'MINUTELY', 'HOURLY'].includes(rule.freq) || rule.interval > maxInterval) throw new RepeatsTooOften()
  if (rule.interval < 1 || (rule.count !== null && rule.count < 1)) throw new Error('Not a rule.')
  const local = rule.clone()
  const last = rule.until && (rule.until.isDate ? toEndOfDay(rule.until) : toLast(rule.until, toLocal))
  const end = toTime(toLocal(until.getTime()))
  local.until = last && last.compare(end) < 0 ? last : end
  const iterator = local.iterator(toTime(first))
  // ical.js looks for the next match without an end.
  let steps = 0
  const matches = iterator.check_contracting_rules.bind(iterator)
  iterator.check_contracting_rules = () => {
    if (++steps > maxSteps) throw new RepeatsTooOften()
    return matches()
  }
  const found: LocalTime[] = []
  for (let time = iterator.next(); time; time = iterator.next()) if (hasDay(local, time)) found.push(fromTime(time))
  return found
}

/** ical.js moves a day that a month lacks, such as February 30, to the next month. */
function hasDay({ freq, parts }: ICAL.Recur, { month, day }: ICAL.Time): boolean {
  const { BYMONTH: months, BYMONTHDAY: days } = parts as { BYMONTH?: number[]; BYMONTHDAY?: number[] }
  if (freq !== 'YEARLY') return true
  return (!months || months.includes(month)) && (!days || days.some((one) => one < 0 || one === day))
}

/** An end in UTC is meant in local time. */
function toLast(until: ICAL.Time, toLocal: Options['toLocal']): ICAL.Time {
  if (until.zone !== ICAL.Timezone.utcTimezone) return until
  return toTime(toLocal(Date.UTC(until.year, until.month - 1, until.day, until.hour, until.minute)))
}

const toEndOfDay = ({ year, month, day }: ICAL.Time): ICAL.Time =>
  new ICAL.Time({ year, month, day, hour: 23, minute: 59, second: 59, isDate: false }, ICAL.Timezone.localTimezone)

const toTime = ({ date, time }: LocalTime): ICAL.Time => ICAL.Time.fromDateTimeString(`${date}T${time}:00`)
const fromTime = (time: ICAL.Time): LocalTime => {
  const text = time.toString()
  return { date: text.slice(0, 10), time: text.slice(11, 16) || '00:00' }
}
