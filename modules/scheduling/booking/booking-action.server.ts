import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { withQuery } from '#app/lib/url.ts'
import { email, isTimezone, multiLine, requiredLine, singleLine } from '#app/lib/zod-types.ts'
import { publicFormActions, success, type FormRequest } from '#modules/core/form-actions.server.ts'
import { runOnce } from '#tenants/api/idempotency.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import type { Ctx } from '#tenants/context.ts'
import { bookByLink, linkSubject } from '../booking-links/booking-links.ts'
import { linkPage } from '../booking-links/link-token.ts'
import { maxQuestions, type Answer, type Question } from '../booking-fields.ts'
import { getBookableType, type BookableType } from '../queries/bookable-types.ts'
import { getOnlineSales } from '../paid-bookings/online-sales.ts'
import { startPaidBooking } from '../paid-bookings/paid-bookings.ts'
import { bookAsVisitor, type VisitorBooking } from '../services/visitor-bookings.ts'
import { holdSlot } from '../services/bookings.ts'
import { answerName, requiredAnswer, visitorFields } from './booking-form.ts'
import { bookingUrl, holdPattern, instantPattern, type BookingState } from './booking-url.ts'
import { bookingRules, holdRules } from './limits.ts'
import { openAsVisitor } from './permissions.ts'
import { asksPhone, placeLabels, type PlaceChoice } from './places.ts'
import { openBookingLink, toBookable } from './link-loader.server.ts'
import { isFormTimely, signConfirmation } from './signed-values.ts'

export const bookingMessages = {
  hold: { done: null, failed: 'This time could not be held. Please try again.' },
  book: { done: null, failed: 'This could not be booked. Please try again.' },
}

const start = requiredLine(visitorFields.start.required).refine(
  (value) => value === '' || (instantPattern.test(value) && !Number.isNaN(Date.parse(value))),
  visitorFields.start.required,
)
const text = (max: number) => singleLine(max).default('')

const answerInputs = Object.fromEntries(
  Array.from({ length: maxQuestions }, (_, index) => [answerName(index), multiLine(2000).default('')]),
)

const BookingForm = z.object({
  start,
  name: requiredLine(visitorFields.name.required),
  email: email(visitorFields.email.required),
  phone: text(visitorFields.phone.max),
  place: z
    .enum(['', ...(Object.keys(placeLabels) as PlaceChoice[])], visitorFields.place.message)
    .default('')
    .transform((value) => value || null),
  notes: multiLine(visitorFields.notes.max).default(''),
  signature: z.string().max(200).default(''),
  /** Only programs fill it in. */
  website: z.string().default(''),
  ...answerInputs,
})
type BookingForm = z.output<typeof BookingForm>

/** The buttons and the form of a booking page. Its URL has the visitor's time zone, duration and hold. */
export const bookingAction = publicFormActions(
  bookingMessages,
  {
    hold: {
      schema: z.object({ start, hold: z.string().regex(holdPattern).optional().catch(undefined) }),
      run: async (context, input, { params, request }) => success({ to: await hold(context, params, request, input) }),
      onError: toLinkPage,
    },
    book: {
      schema: BookingForm,
      run: async (context, input, { params, request }) => success({ to: await book(context, params, request, input) }),
      onError: toLinkPage,
    },
  },
  { home: '/book' },
)

type Params = Record<string, string | undefined>

/** The page of a link that was used, revoked or has expired says so. */
function toLinkPage({ subject }: AppError, { request }: FormRequest) {
  return subject === linkSubject ? { to: new URL(request.url).pathname } : undefined
}

type Target = { ctx: Ctx; type: BookableType; page: string; linkId: number | null }

/** Opens what the page books. Throws not_found, and conflict for a link that can't be used. */
async function openTarget(context: AppLoadContext, { type: slug = '', token }: Params): Promise<Target> {
  if (token === undefined) {
    const ctx = await openAsVisitor(context)
    return { ctx, type: await getBookableType(ctx, slug), page: slug, linkId: null }
  }
  const { ctx, link, problem } = await openBookingLink(context, token)
  if (problem) throw new AppError('conflict', 'This link can’t be used.', { subject: linkSubject })
  return { ctx, type: await toBookable(ctx, link), page: linkPage(ctx, link.id), linkId: link.id }
}

/** Holds a time. One that was just taken leads to the form too, which offers others. */
async function hold(
  context: AppLoadContext,
  params: Params,
  request: Request,
  input: { start: string; hold?: string | undefined },
) {
  const { ctx, type, page, linkId } = await openTarget(context, params)
  const { address } = context.requestContext
  await countAttempt(ctx.platform, { rules: holdRules(address, ctx.coachId), address })
  const url = bookingUrl(page)
  const state = url.parse(request.url)
  // The page names its hold: the same form sent twice holds the time once.
  const choice = toChoice(type, { ...state, hold: input.hold ?? state.hold })
  const held = await ctx
    .write((tx) =>
      holdSlot(tx, { typeId: type.id, start: new Date(input.start), isInvited: linkId !== null, ...choice }),
    )
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'conflict') return null
      throw error
    })
  return url.href(state, { start: input.start, step: 'details', hold: held?.token ?? null })
}

async function book(
  context: AppLoadContext,
  params: Params,
  request: Request,
  { website, signature, start: chosen, place, ...input }: BookingForm,
) {
  const { ctx, type, page, linkId } = await openTarget(context, params)
  const { address } = context.requestContext
  if (website !== '') throw new AppError('bad_request', 'Leave the field Website empty and send the form again.')
  if (!isFormTimely(ctx.platform, ctx.coachId, ctx.now(), signature))
    throw new AppError('bad_request', 'The form was open for too short or too long. Please send it again.')
  await countAttempt(ctx.platform, { rules: bookingRules(address, ctx.coachId), address })
  const state = bookingUrl(page).parse(request.url)
  const { answers: given, issues } = readAnswers(type.questions, input)
  issues.unshift(...checkPlace(type, { place, phone: input.phone }))
  if (issues.length) throw new AppError('validation_failed', issues[0]!.message, { issues })
  const booking = {
    ...toChoice(type, state),
    start: new Date(chosen),
    name: input.name,
    email: input.email,
    phone: input.phone,
    place,
    notes: input.notes.trim() || null,
    answers: given,
    timezone: state.zone !== null && isTimezone(state.zone) ? state.zone : ctx.account.timezone,
  }
  const form = hashForm(page, signature, chosen, input.email)
  if (linkId === null && type.payment === 'booking') return payFirst(ctx, { type, booking, form })
  const { body: id } = await ctx.write((tx) =>
    runOnce(tx, form, async () => {
      const booked = linkId === null ? bookAsVisitor(tx, type, booking) : bookByLink(tx, linkId, booking)
      return { status: 201, body: String((await booked).id) }
    }),
  )
  const confirmed = `/book/confirmed/${signConfirmation(ctx.platform, ctx.coachId, Number(id))}`
  return withQuery(confirmed, { embed: state.embed })
}

/** Keeps the slot, and leads to its payment: the same form sent twice to the same one. */
async function payFirst(
  ctx: Ctx,
  { type, booking, form }: { type: BookableType; booking: VisitorBooking; form: ReturnType<typeof hashForm> },
): Promise<string> {
  const { body: saleId } = await ctx.write((tx) =>
    runOnce(tx, form, async () => ({ status: 201, body: String(await startPaidBooking(tx, type, booking)) })),
  )
  return getOnlineSales(ctx)!.toPaymentPath(ctx, Number(saleId))
}

/** The same form sent twice books once, and leads to the same confirmation. */
function hashForm(...fields: string[]): { key: string; requestHash: Buffer } {
  const requestHash = createHash('sha256').update(fields.join('\n')).digest()
  return { key: `booking-form ${requestHash.toString('hex')}`, requestHash }
}

/** A duration that the type doesn't offer counts as its usual one. */
function toChoice({ durations }: BookableType, { duration, hold: token }: BookingState) {
  const durationMinutes = durations.find((minutes) => String(minutes) === duration)
  return { durationMinutes, holdToken: token !== null && holdPattern.test(token) ? token : undefined }
}

type Issue = { path: string; message: string }

function checkPlace(type: BookableType, { place, phone }: { place: PlaceChoice | null; phone: string }): Issue[] {
  if (type.locationKind === 'client_choice' && place === null)
    return [{ path: 'place', message: visitorFields.place.message }]
  const isCalled = type.locationKind === 'phone' || place === 'phone'
  return asksPhone(type) && isCalled && phone === '' ? [{ path: 'phone', message: 'Enter the number to call' }] : []
}

/** Checks each question. Issues: a required one is empty, or a choice is none of the options. */
function readAnswers(questions: Question[], input: Record<string, unknown>): { answers: Answer[]; issues: Issue[] } {
  const read = questions.map((question, index) => {
    const name = answerName(index)
    return { question, name, answer: String(input[name] ?? '').trim() }
  })
  const issues = read.flatMap(({ question: { kind, required, options }, name, answer }) => {
    if (answer === '') return required ? [{ path: name, message: requiredAnswer }] : []
    return kind === 'choice' && !options.includes(answer) ? [{ path: name, message: 'Choose one of the answers' }] : []
  })
  const answers = read.flatMap(({ question: { label }, answer }) =>
    answer === '' ? [] : [{ question: label, answer }],
  )
  return { answers, issues }
}
