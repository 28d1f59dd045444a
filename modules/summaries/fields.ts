import type { Fields } from '#app/lib/fields.ts'
import type { ActionOwner } from './types.ts'

/** How a client has agreed. */
export const channels = {
  spoken: 'In the session',
  email: 'By email',
  form: 'In a signed form',
  message: 'By message',
  phone: 'By phone',
} as const
export type Channel = keyof typeof channels

export const transcriptSources = {
  upload: 'Uploaded',
  paste: 'Pasted',
  zoom: 'Zoom',
  meet: 'Google Meet',
  revai: 'Rev.ai',
}
/** Those that are found by themselves. */
export const recordingSources = ['zoom', 'meet'] as const
export type TranscriptSource = keyof typeof transcriptSources

/** A summary that was shared is approved too. */
export const summaryStatuses = { draft: 'Draft', approved: 'Approved', shared: 'Shared' } as const
export type SummaryStatus = keyof typeof summaryStatuses

export const summaryMethods = { extract: 'Extract', model: 'Model' } as const

/** The source of the interaction of an approved summary (part-2 §3): found by itself, or added by the coach. */
export const interactionSources = { found: 'revai_auto', added: 'revai_manual' }

/** How a summary reached the client. */
export const shareChannels = { email: 'By email', other: 'In another way' } as const
export type ShareChannel = keyof typeof shareChannels

export const owners: Record<ActionOwner, string> = { coach: 'You', client: 'Client' }

export const consentFields = {
  wording: { kind: 'text', label: 'What they agreed to', max: 2000, required: 'Say what they agreed to' },
  channel: {
    kind: 'choice',
    label: 'How they agreed',
    choices: channels,
    message: 'Choose how they agreed',
    initial: 'spoken',
  },
} as const satisfies Fields

export const consentFormFields = {
  ...consentFields,
  givenOn: { kind: 'line', label: 'When', required: 'Date is required' },
  scope: { kind: 'line', label: 'For' },
} as const satisfies Fields

export const transcriptFormFields = {
  file: { kind: 'text', label: 'Transcript file' },
  text: { kind: 'text', label: 'Transcript', required: 'Paste a transcript' },
} as const satisfies Fields

export const recordingFormFields = {
  uploadId: { kind: 'line', label: 'Recording' },
} as const satisfies Fields

/** Null: kept until it is deleted. */
export const retentionDays = [30, 90, 180, 365, 730] as const

/** Null: deleted as soon as they are transcribed. */
export const recordingDays = [7, 30, 90, 365] as const

export const settingsFields = {
  wording: { kind: 'text', label: 'Wording of the consent', max: 2000, optional: true },
  transcriptDays: { kind: 'count', label: 'Keep transcripts for (days)', max: 3650, optional: true },
  recordingDays: { kind: 'count', label: 'Keep recordings for (days)', max: 365, optional: true },
} as const satisfies Fields

export const standardWording =
  'I agree that my coach transcribes our sessions and makes summaries of them. The transcripts are seen by my coach alone. ' +
  'I can withdraw this at any time: then everything that came from the transcripts is deleted.'
