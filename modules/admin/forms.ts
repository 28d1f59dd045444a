import { z } from 'zod'
import { date, email, emptyAsNull, formId, multiLine, requiredLine, singleLine, version } from '#app/lib/zod-types.ts'
import {
  announcementFields,
  coachFields,
  coachStateNames,
  jobFilters,
  moduleStateNames,
  planNames,
  supportGrantFields,
  supportHours,
} from './fields.ts'

const plan = z.enum(planNames, coachFields.subscriptionStatus.message)

/** Only the email is required: the coach can add a name after signing in. */
export const NewCoach = z.object({
  email: email(),
  firstName: emptyAsNull(singleLine()),
  lastName: emptyAsNull(singleLine()),
  businessName: emptyAsNull(singleLine()),
  subscriptionStatus: plan.default('free'),
})
export type NewCoach = z.output<typeof NewCoach>

/** The filters of the list of coaches. */
export const CoachFilters = z.object({
  q: z.string().max(255).optional(),
  plan: plan.optional(),
  state: z.enum(coachStateNames).optional(),
})

export const SubscriptionChange = z.object({ status: plan })
/** `seen`: the plan that the form showed. */
export const SubscriptionForm = SubscriptionChange.extend({ id: formId('Coach not found'), seen: plan })

/** `id`: of a job. */
export const RetryJob = z.object({ id: z.uuid('Job not found') })
/** A delivery of a coach. */
export const RetryDelivery = z.object({ id: formId('Delivery not found'), coach: formId('Coach not found') })
export const RetryJobs = z.object({ kind: z.enum(jobFilters) })

const moduleKeys = z.array(z.string().max(80)).default([])

/** The modules that are on, such as `pro:scheduling`; `seen`: those that the form showed as on. */
export const PlanModulesForm = z.object({ on: moduleKeys, seen: moduleKeys })
export type PlanModulesForm = z.output<typeof PlanModulesForm>

/** The state of each module, such as `scheduling:off`; `seen`: those that the form showed. */
export const CoachModulesForm = z.object({ state: moduleKeys, seen: moduleKeys })
export type CoachModulesForm = z.output<typeof CoachModulesForm>

const byModule = <S extends z.ZodType>(value: S) =>
  z
    .record(z.string().max(60, 'There is no such module.'), value)
    .refine((switches) => Object.keys(switches).length <= 100, 'Send at most 100 modules')
const planSwitches = () =>
  byModule(z.boolean('Send true or false')).optional().describe('By the id of a module; others stay as they are')

/** PATCH /api/admin/modules */
export const PlanModulesChange = z.object({ free: planSwitches(), pro: planSwitches(), premium: planSwitches() })
export type PlanModulesChange = z.output<typeof PlanModulesChange>

/** PATCH /api/admin/coaches/{id}/modules */
export const CoachModulesChange = z.object({
  modules: byModule(z.enum(moduleStateNames, 'Send plan, on or off'))
    .optional()
    .describe('By the id of a module; others stay as they are. `plan`: as in the plan'),
})
export type CoachModulesChange = z.output<typeof CoachModulesChange>

const supportHourNames = Object.keys(supportHours) as (keyof typeof supportHours)[]

export const NewSupportGrant = z.object({
  hours: z.enum(supportHourNames, supportGrantFields.hours.message),
  reason: requiredLine(supportGrantFields.reason.required),
})
export type NewSupportGrant = z.output<typeof NewSupportGrant>

const announcementShape = {
  title: requiredLine(announcementFields.title.required, announcementFields.title.max),
  body: z.preprocess(
    (value) => value ?? '',
    multiLine(announcementFields.body.max).refine((value) => value.trim() !== '', announcementFields.body.required),
  ),
  from: date({ required: announcementFields.from.required }),
  until: date({ required: announcementFields.until.required }),
  plans: z
    .array(z.string().max(20))
    .default([])
    .transform((names) => planNames.filter((name) => names.includes(name)))
    .refine((names) => names.length > 0, 'Choose at least one plan'),
}
const isInOrder = ({ from, until }: { from: string; until: string }): boolean => until >= from
const notInOrder = { path: ['until'], message: 'Choose the first day or a later one' }

/** `until`: the last day. Days are those of the administrator's time zone. */
export const NewAnnouncement = z.object(announcementShape).refine(isInOrder, notInOrder)
export type NewAnnouncement = z.output<typeof NewAnnouncement>

export const AnnouncementEdit = z
  .object({ ...announcementShape, id: formId('Announcement not found'), version: version() })
  .refine(isInOrder, notInOrder)
