import { z } from 'zod'
import { multiLine, requiredLine, singleLine, version } from '#app/lib/zod-types.ts'
import { maxLead, maxReminders, minLead, noReminders, parseLeads, sortLeads } from './leads.ts'
import { findPlaceholderProblem, maxBody, maxSubject, textKinds, type TextKind } from './texts.ts'

const checkPlaceholders = (value: string, ctx: z.RefinementCtx) => {
  const problem = findPlaceholderProblem(value)
  if (problem) ctx.addIssue({ code: 'custom', message: problem })
}

export const MessageTextInput = z.object({
  subject: requiredLine('Enter a subject', maxSubject).superRefine(checkPlaceholders),
  body: z.preprocess(
    (value) => value ?? '',
    multiLine(maxBody)
      .refine((value) => value.trim() !== '', 'Enter a text')
      .superRefine(checkPlaceholders),
  ),
})
export type MessageTextInput = z.output<typeof MessageTextInput>

export const TextKindInput = z.enum(Object.keys(textKinds) as [TextKind], 'Choose a message')

export const MessageTextForm = MessageTextInput.extend({ kind: TextKindInput, version: version() })

/** Minutes before the start, longest first. */
export const ReminderMinutes = z
  .array(
    z
      .int('Enter whole minutes')
      .min(minLead, `Enter at least ${minLead}`)
      .max(maxLead, `Enter at most ${maxLead.toLocaleString('en-US')}`),
    'Send a list of minutes',
  )
  .max(maxReminders, `Use at most ${maxReminders} reminders`)
  .transform(sortLeads)

/** The same as a text: '24 h, 1 h'. */
export const ReminderTimes = singleLine(100).transform((value, ctx) => {
  const leads = value.toLowerCase() === noReminders ? [] : parseLeads(value)
  if (leads && leads.length <= maxReminders) return leads
  ctx.addIssue({ code: 'custom', message: 'Write up to 5 times from 5 min to 30 days, such as 24 h, 1 h' })
  return z.NEVER
})

const FollowUpMinutes = z
  .int('Enter whole minutes')
  .min(minLead, `Enter at least ${minLead}`)
  .max(maxLead, `Enter at most ${maxLead.toLocaleString('en-US')}`)

/** Input of the API. */
export const MessageSettingsEdit = z.object({
  reminderMinutes: ReminderMinutes.optional(),
  followUp: z.boolean().optional(),
  followUpMinutes: FollowUpMinutes.optional(),
  tellsCoach: z.boolean().optional(),
})

const isOn = (message: string) => z.enum(['on', 'off'], message).transform((value) => value === 'on')

/** The form of the messages page. Without times there are no reminders. */
export const MessageSettingsForm = z.object({
  version: version(),
  reminderMinutes: z.preprocess((value) => value ?? '', ReminderTimes),
  followUp: isOn('Choose whether it is sent'),
  followUpMinutes: requiredLine('Enter a time', 20).transform((value, ctx) => {
    const [minutes, ...others] = parseLeads(value) ?? []
    if (minutes !== undefined && !others.length) return minutes
    ctx.addIssue({ code: 'custom', message: 'Write a time from 5 min to 30 days, such as 2 h' })
    return z.NEVER
  }),
  tellsCoach: isOn('Choose whether you get them'),
})
