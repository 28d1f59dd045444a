export type Timezone = { value: string; label: string }

/** The first 31 choices of every time zone field. Source: part-1 §9. */
export const commonTimezones: Timezone[] = [
  { value: 'America/New_York', label: 'Eastern Time (US)' },
  { value: 'America/Chicago', label: 'Central Time (US)' },
  { value: 'America/Denver', label: 'Mountain Time (US)' },
  { value: 'America/Los_Angeles', label: 'Pacific Time (US)' },
  { value: 'America/Anchorage', label: 'Alaska Time (US)' },
  { value: 'Pacific/Honolulu', label: 'Hawaii Time (US)' },
  { value: 'America/Toronto', label: 'Toronto' },
  { value: 'America/Vancouver', label: 'Vancouver' },
  { value: 'Europe/London', label: 'London' },
  { value: 'Europe/Paris', label: 'Paris' },
  { value: 'Europe/Berlin', label: 'Berlin' },
  { value: 'Europe/Rome', label: 'Rome' },
  { value: 'Europe/Madrid', label: 'Madrid' },
  { value: 'Europe/Amsterdam', label: 'Amsterdam' },
  { value: 'Europe/Stockholm', label: 'Stockholm' },
  { value: 'Europe/Moscow', label: 'Moscow' },
  { value: 'Asia/Tokyo', label: 'Tokyo' },
  { value: 'Asia/Shanghai', label: 'Shanghai' },
  { value: 'Asia/Hong_Kong', label: 'Hong Kong' },
  { value: 'Asia/Singapore', label: 'Singapore' },
  { value: 'Asia/Kolkata', label: 'India' },
  { value: 'Asia/Dubai', label: 'Dubai' },
  { value: 'Australia/Sydney', label: 'Sydney' },
  { value: 'Australia/Melbourne', label: 'Melbourne' },
  { value: 'Australia/Perth', label: 'Perth' },
  { value: 'Pacific/Auckland', label: 'Auckland' },
  { value: 'America/Sao_Paulo', label: 'São Paulo' },
  { value: 'America/Mexico_City', label: 'Mexico City' },
  { value: 'America/Argentina/Buenos_Aires', label: 'Buenos Aires' },
  { value: 'Africa/Cairo', label: 'Cairo' },
  { value: 'Africa/Johannesburg', label: 'Johannesburg' },
]

const toTimezone = (name: string): Timezone => ({ value: name, label: name.replaceAll('_', ' ') })

/** All other IANA time zones of this platform, and `current` if it is an alias that isn't listed. */
export function otherTimezones(current?: string | null): Timezone[] {
  others ??= listOthers()
  listed ??= new Set([...commonTimezones, ...others].map(({ value }) => value))
  return !current || listed.has(current) ? others : [toTimezone(current), ...others]
}

/** Listing them takes a millisecond. */
let others: Timezone[] | undefined
let listed: Set<string> | undefined

function listOthers(): Timezone[] {
  const common = new Set(commonTimezones.map(({ value }) => value))
  return Intl.supportedValuesOf('timeZone')
    .filter((name) => !common.has(name))
    .map(toTimezone)
}
