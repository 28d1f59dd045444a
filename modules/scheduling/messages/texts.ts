// The texts of messages: plain text with placeholders. No zod and no server code, so that the browser shows the
// preview.

export const textKinds = {
  confirmation: 'Confirmation',
  request: 'Request received',
  change: 'Change',
  cancellation: 'Cancellation',
  reminder: 'Reminder',
  follow_up: 'Follow-up',
  series_confirmation: 'Confirmation of a series',
  series_change: 'Change of a series',
  series_cancellation: 'Cancellation of a series',
} as const
export type TextKind = keyof typeof textKinds

/** When each is sent. */
export const textOccasions: Record<TextKind, string> = {
  confirmation: 'When a session is booked, or you confirm it.',
  request: 'When somebody books a session that you still have to confirm.',
  change: 'When the time or the place changes.',
  cancellation: 'When a session is cancelled.',
  reminder: 'Before the session.',
  follow_up: 'After the session.',
  series_confirmation: 'When you enter several sessions that repeat. One email for all of them.',
  series_change: 'When the time or the place of several sessions changes.',
  series_cancellation: 'When several sessions are cancelled.',
}

export type MessageText = { subject: string; body: string }

export const placeholders = {
  'client name': 'Their full name',
  'client first name': 'The first part of their name',
  'coach name': 'Your name or that of your business',
  session: 'The title of the session',
  date: 'The day, in their time zone',
  time: 'From when to when, in their time zone',
  'time zone': 'The name of their time zone',
  place: 'The link, phone number or address',
  'sessions left': 'What is left of the sessions that they bought, such as 3 of 12 sessions left',
  link: 'The address at which they can change or cancel it',
  sessions: 'Of a series: when each session is, one a line, with its place if they differ',
  'number of sessions': 'Of a series: how many sessions',
} as const
export type Placeholder = keyof typeof placeholders
export type PlaceholderValues = Record<Placeholder, string>

const greeting = 'Hello {{client name}},'
const facts = '{{session}}\n\nWhen: {{date}}, {{time}} ({{time zone}})\n\nWhere: {{place}}'
const seriesFacts = '{{session}}\n\nWhen ({{time zone}}):\n{{sessions}}\n\nWhere: {{place}}'
const reply = 'Reply to this email to write to {{coach name}}.'
const subject = (heading: string) => `${heading}: {{session}}, {{date}}, {{time}}`
const seriesSubject = (heading: string) =>
  `${heading}: {{session}}, {{number of sessions}} sessions from {{date}}, {{time}}`
const body = (...paragraphs: string[]) => [greeting, ...paragraphs].join('\n\n')

/** Used until the coach writes others. */
export const standardTexts: Record<TextKind, MessageText> = {
  confirmation: {
    subject: subject('Confirmed'),
    body: body('Your session with {{coach name}} is confirmed.', facts, reply),
  },
  request: {
    subject: subject('Request received'),
    body: body('{{coach name}} has received your request and will confirm it by email.', facts, reply),
  },
  change: {
    subject: subject('Changed'),
    body: body('Your session with {{coach name}} has changed. This is the new time and place.', facts, reply),
  },
  cancellation: {
    subject: subject('Cancelled'),
    body: body('Your session with {{coach name}} has been cancelled.', facts),
  },
  reminder: {
    subject: subject('Reminder'),
    body: body('This is a reminder of your session with {{coach name}}.', facts, 'You have {{sessions left}}.', reply),
  },
  follow_up: {
    subject: 'Thank you: {{session}}',
    body: body('Thank you for your session on {{date}}.', reply),
  },
  series_confirmation: {
    subject: seriesSubject('Confirmed'),
    body: body('These sessions with {{coach name}} are confirmed.', seriesFacts, reply),
  },
  series_change: {
    subject: seriesSubject('Changed'),
    body: body(
      'These sessions with {{coach name}} have changed. These are the new times and places.',
      seriesFacts,
      reply,
    ),
  },
  series_cancellation: {
    subject: seriesSubject('Cancelled'),
    body: body('These sessions with {{coach name}} have been cancelled.', seriesFacts),
  },
}

export const maxSubject = 200
export const maxBody = 5000

const pattern = /\{\{([^{}]*)\}\}/g
const normalize = (name: string) => name.trim().toLowerCase().replaceAll(/\s+/g, ' ')
const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(placeholders, name)

/** The problem with the placeholders of a text, or null. */
export function findPlaceholderProblem(text: string): string | null {
  const unknown = [...text.matchAll(pattern)].find(([, name = '']) => !isPlaceholder(normalize(name)))
  if (unknown) return `There is no placeholder ${unknown[0]}`
  return /\{\{|\}\}/.test(text.replaceAll(pattern, '')) ? 'Write placeholders as {{place}}' : null
}

/** Each placeholder as its value, once: a value is never read as a placeholder. Unknown ones stay. */
const fill = (text: string, values: PlaceholderValues): string =>
  text.replaceAll(pattern, (found, name: string) =>
    isPlaceholder(normalize(name)) ? values[normalize(name) as Placeholder] : found,
  )

/** Whether a line has a placeholder without a value, such as the place of a session that has none. */
const lacksValue = (line: string, values: PlaceholderValues): boolean =>
  [...line.matchAll(pattern)].some(([, name = '']) => values[normalize(name) as Placeholder] === '')

/** One line: a value can't add a header. */
export function fillSubject(template: string, values: PlaceholderValues): string {
  // oxlint-disable-next-line no-control-regex -- what no header may contain
  const line = fill(template, values)
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  return line || values.session
}

/** The paragraphs, separated by empty lines. Lines whose placeholder has no value are left out. */
export function fillBody(template: string, values: PlaceholderValues): string[] {
  const lines = template.split('\n').filter((line) => !lacksValue(line, values))
  return fill(lines.join('\n'), values)
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
}
