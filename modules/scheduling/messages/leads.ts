// Times before and after a session, as coaches write them: '24 h, 1 h'.

const units: Record<string, number> = { d: 1440, day: 1440, days: 1440, h: 60, hour: 60, hours: 60, min: 1, minutes: 1 }

export const maxReminders = 5
export const minLead = 5
/** 30 days. */
export const maxLead = 43_200

/** The text for a type without reminders. */
export const noReminders = 'none'

/** '1 h', '90 min', '24 h', '2 days'. */
export function formatLead(minutes: number): string {
  if (minutes >= 2880 && minutes % 1440 === 0) return `${minutes / 1440} days`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}

export const formatLeads = (leads: readonly number[]): string => leads.map(formatLead).join(', ')

/** '1 h, 24 h' as [1440, 60], longest first. Null for another text. */
export function parseLeads(text: string): number[] | null {
  const leads = text
    .split(/[,;]/)
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean)
    .map(parseLead)
  return leads.includes(null) ? null : sortLeads(leads as number[])
}

export const sortLeads = (leads: number[]): number[] => [...new Set(leads)].sort((a, b) => b - a)

function parseLead(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,5})\s*([a-z]+)$/.exec(text) ?? []
  const minutes = Number(count) * (units[unit] ?? NaN)
  return minutes >= minLead && minutes <= maxLead ? minutes : null
}
