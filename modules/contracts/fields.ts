import type { Fields } from '#app/lib/fields.ts'

export const limits = {
  /** Characters of a contract. */
  text: 50_000,
  name: 200,
  reason: 500,
  /** Characters of a drawn signature. */
  drawing: 20_000,
  /** Days until a contract that was sent expires. */
  days: 365,
} as const

export const templateFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required' },
  body: { kind: 'text', label: 'Text', max: limits.text },
} as const satisfies Fields

export const contractFields = {
  title: { kind: 'line', label: 'Title', required: 'Title is required' },
  body: { kind: 'text', label: 'Text', max: limits.text },
  product: { kind: 'line', label: 'Product', optional: true },
  price: { kind: 'cents', label: 'Price', optional: true },
  expiresInDays: { kind: 'count', label: 'Days to sign', max: limits.days, initial: 14, default: 14 },
} as const satisfies Fields

/** The states that are stored. While it is open, the signatures and the end say more: `contractStatuses`. */
export const contractStates = ['draft', 'open', 'completed', 'declined', 'expired', 'voided'] as const
export type ContractState = (typeof contractStates)[number]

export const contractStatuses = {
  draft: 'Draft',
  sent: 'Sent',
  viewed: 'Viewed',
  signed_by_client: 'Signed by client',
  signed_by_coach: 'Signed by you',
  completed: 'Completed',
  declined: 'Declined',
  expired: 'Expired',
  voided: 'Voided',
} as const
export type ContractStatus = keyof typeof contractStatuses

/** The reason why a client has a contract. */
export const contractSources = {
  coach: 'Made by you',
  booking: 'Required by a booking',
  purchase: 'Required by a purchase',
} as const
export type ContractSource = keyof typeof contractSources

export const parties = { client: 'Client', coach: 'Coach' } as const
export type Party = keyof typeof parties

export const methods = { typed: 'typed', drawn: 'drawn' } as const
export type Method = keyof typeof methods

/** Entries of the audit trail. */
export const trailKinds = {
  sent: 'Sent for signature',
  linked: 'New link',
  reminded: 'Reminded',
  viewed: 'Viewed',
  signed: 'Signed',
  declined: 'Declined',
  voided: 'Voided',
  expired: 'Expired',
  completed: 'Completed',
  printed: 'PDF made',
} as const
export type TrailKind = keyof typeof trailKinds

/** The emails about a contract: `link` and `reminder` ask the client to sign; the copies have the PDF. */
export const emailKinds = ['link', 'reminder', 'copy-client', 'copy-coach', 'viewed', 'signed', 'declined'] as const
export type EmailKind = (typeof emailKinds)[number]

export const emailStates = ['waiting', 'sending', 'sent', 'failed'] as const
export type EmailState = (typeof emailStates)[number]

/** The sentence that a signer agrees to. It is stored with the signature. */
export const consentSentence =
  'I have read this contract and agree to it. I sign it electronically, as I would by hand.'

export const signFields = {
  name: { kind: 'line', label: 'Your full name', required: 'Enter your full name', max: limits.name },
  drawing: { kind: 'line', label: 'Drawing', max: limits.drawing },
  consent: { kind: 'line', label: 'Consent', required: 'Tick this box to sign' },
} as const satisfies Fields

export const closeFields = {
  reason: { kind: 'text', label: 'Reason, if you like', max: limits.reason, optional: true },
} as const satisfies Fields
