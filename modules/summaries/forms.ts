import { z } from 'zod'
import {
  choice,
  date,
  emptyAsNull,
  formId,
  isoInstant,
  multiLine,
  requiredLine,
  singleLine,
  version,
} from '#app/lib/zod-types.ts'
import { channels, type Channel } from './fields.ts'
import type { TaskChoice } from './services/session-tasks.ts'
import { inputName, readRows, readSource, sectionNames, type RowPart } from './summary-form.ts'
import { maxQuoteLength, transcriptLimits, type ActionOwner } from './types.ts'

const wordingRequired = 'Say what they agreed to'
const wording = multiLine(2000).refine((value) => value.trim() !== '', wordingRequired)
const channel = choice(Object.keys(channels) as [Channel, ...Channel[]])

export const NewConsent = z.object({ channel, wording, givenAt: isoInstant().optional() })
export type NewConsent = z.output<typeof NewConsent>

/** The form on a session's page. */
export const ConsentForm = z.object({
  appointment: formId('This form is incomplete.'),
  scope: choice(['client', 'session']),
  channel,
  wording,
  givenOn: date(),
})

/** `text`: WebVTT, SRT or plain text. */
export const NewTranscript = z.object({
  text: z.preprocess(
    (sent) => (typeof sent === 'string' ? sent.replaceAll('\r\n', '\n') : sent),
    multiLine(transcriptLimits.characters).refine((value) => value.trim() !== '', 'Paste a transcript'),
  ),
  fileName: emptyAsNull(singleLine()).optional(),
})
export type NewTranscript = z.output<typeof NewTranscript>

/** The forms on a session's page. */
export const PasteForm = NewTranscript.pick({ text: true })
export const UploadForm = z.object({ file: z.unknown() })

/** `uploadId`: a complete upload (POST /api/uploads). */
export const RecordingForm = z.object({ uploadId: formId('Choose a recording.') })

/** A recording that may belong to the session. */
export const ChoiceForm = z.object({ candidateId: formId('Choose a recording.') })

export const maxClaims = 50
const claim = {
  text: requiredLine('Write a sentence, or remove it', 1000),
  lines: z.array(z.int().positive()).max(200).default([]),
  quote: singleLine(maxQuoteLength).default(''),
}
const Claims = z.array(z.object(claim)).max(maxClaims, `Use at most ${maxClaims}`)
const Actions = z
  .array(
    z.object({
      ...claim,
      owner: emptyAsNull(choice(['coach', 'client'] as [ActionOwner, ActionOwner])),
      due: emptyAsNull(date()),
    }),
  )
  .max(maxClaims, `Use at most ${maxClaims}`)

export const SummaryEdit = z.object({ overview: Claims, takeaways: Claims, actions: Actions }).partial()
export type SummaryEdit = z.output<typeof SummaryEdit>

type Sent = { id: number; version: number; edit: SummaryEdit }

/** The edit form: rows without text are removed. Errors are at the fields of the row. */
export const SummaryForm = z
  .looseObject({ id: formId('This form is incomplete.'), version: version() })
  .transform(({ id, version, ...values }, ctx): Sent => {
    const edit: Record<string, unknown> = {}
    for (const section of sectionNames) {
      const rows = readRows(values, section).filter(({ text }) => text.trim() !== '')
      const sent = rows.map(({ text, source, owner, due }) => ({
        ...readSource(source),
        text: text.replaceAll(/\s+/g, ' '),
        owner,
        due,
      }))
      const parsed = SummaryEdit.shape[section].safeParse(sent)
      if (parsed.success) edit[section] = parsed.data
      for (const { path, message } of parsed.error?.issues ?? []) {
        const [index, part = 'text'] = path as [number?, RowPart?]
        const at = index === undefined ? [] : [inputName(section, rows[index]!.row, part)]
        ctx.addIssue({ code: 'custom', path: at, message })
      }
    }
    return { id, version, edit: edit as SummaryEdit }
  })

const choicePattern = /^owner-(\d{1,2})$/

/** Approving a summary: `task-0`, `owner-0` and `due-0` are those of the first action. */
export const ApproveForm = z
  .looseObject({ id: formId('This form is incomplete.'), version: version() })
  .transform(({ id, version, ...values }, ctx) => {
    const choices = Object.keys(values).flatMap((name): TaskChoice[] => {
      const index = choicePattern.exec(name)?.[1]
      if (index === undefined) return []
      const owner = choice(['coach', 'client'] as [ActionOwner, ActionOwner]).safeParse(values[name])
      const due = emptyAsNull(date()).safeParse(values[`due-${index}`])
      for (const [part, { error }] of [
        ['owner', owner],
        ['due', due],
      ] as const)
        for (const { message } of error?.issues ?? [])
          ctx.addIssue({ code: 'custom', path: [`${part}-${index}`], message })
      if (!owner.success || !due.success) return []
      return [{ index: Number(index), isTask: values[`task-${index}`] === 'on', owner: owner.data, due: due.data }]
    })
    return { id, version, choices }
  })

const days = (max: number) =>
  emptyAsNull(
    z.preprocess(
      (sent) => (typeof sent === 'string' && /^\d{1,4}$/.test(sent) ? Number(sent) : sent),
      z.int('Choose one of the periods').min(1).max(max),
    ),
  )
export const SettingsInput = z.object({
  wording: emptyAsNull(multiLine(2000)),
  transcriptDays: days(3650),
  recordingDays: days(365),
})
export type SettingsInput = z.output<typeof SettingsInput>
