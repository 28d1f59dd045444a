import { z } from 'zod'
import { UserOut, register, saveBranding, saveProfile, startTrial, userOf } from './accounts.ts'
import { coachCtx, type Ctx } from '../context.ts'
import { Branding, ForgotPassword, Login, Profile, Register, ResetPassword } from './forms.ts'
import { operation, publicOperation, type Cookie, type Operation, type Visit } from '../api/operation.ts'
import { findVisitor, forgotPassword, resetPassword, signIn, signOut } from '../auth/sign-in.ts'

export const sessionCookie = 'session'
const sessionSeconds = 30 * 86_400

/** The cookie of a session; without a token, the cookie that takes it away. */
export function cookieFor(token: string | null): Cookie {
  return { name: sessionCookie, value: token ?? '', maxAge: token ? sessionSeconds : 0 }
}

const tags = ['Authentication']
const me = (ctx: Ctx) => userOf(ctx)

/** The calls of api.md "Authentication". */
export const authenticationOperations: Operation[] = [
  publicOperation({
    method: 'post',
    path: '/register',
    platformOnly: true,
    summary: 'Open an account and sign in',
    tags,
    body: Register,
    answers: { 201: UserOut },
    async handle(visit, { body, sent }) {
      const { token } = await register(visit.platform, body)
      sent.cookies.push(cookieFor(token))
      return userBehind(visit, token)
    },
  }),
  publicOperation({
    method: 'post',
    path: '/login',
    summary: 'Sign in',
    tags,
    body: Login,
    answers: { 200: UserOut },
    async handle(visit, { body, sent }) {
      const { token } = await signIn(visit.platform, body, visit)
      await signOut(visit.platform, visit.visitor)
      sent.cookies.push(cookieFor(token))
      return userBehind(visit, token)
    },
  }),
  publicOperation({
    method: 'get',
    path: '/login',
    summary: 'The way to the sign-in page',
    tags,
    answers: { 302: null },
    async handle(_visit, { sent }) {
      sent.headers.Location = '/auth'
    },
  }),
  publicOperation({
    method: 'post',
    path: '/logout',
    summary: 'Sign out: the session ends on the server',
    tags,
    answers: { 204: null },
    async handle(visit, { sent }) {
      await signOut(visit.platform, visit.visitor)
      sent.cookies.push(cookieFor(null))
    },
  }),
  operation({
    method: 'get',
    path: '/user',
    summary: 'The signed-in account',
    tags,
    answers: { 200: UserOut },
    handle: me,
  }),
  operation({
    method: 'get',
    path: '/auth/user',
    summary: 'The signed-in account',
    tags,
    answers: { 200: UserOut },
    handle: me,
  }),
  operation({
    method: 'put',
    path: '/auth/profile',
    summary: 'Change the practice',
    tags,
    body: Profile,
    answers: { 200: UserOut },
    async handle(ctx, { body }) {
      await saveProfile(ctx, body)
      return userOf(ctx)
    },
  }),
  operation({
    method: 'put',
    path: '/branding',
    summary: 'Change color, logo and subdomain',
    tags,
    body: Branding,
    answers: { 200: UserOut },
    async handle(ctx, { body }) {
      await saveBranding(ctx, body)
      return userOf(ctx)
    },
  }),
  operation({
    method: 'post',
    path: '/subscription/trial',
    summary: 'Try Pro for 14 days, once',
    tags,
    answers: { 200: UserOut },
    async handle(ctx) {
      await startTrial(ctx)
      return userOf(ctx)
    },
  }),
  publicOperation({
    method: 'post',
    path: '/auth/forgot-password',
    summary: 'Ask for the mail with a new link',
    tags,
    body: ForgotPassword,
    answers: { 202: z.object({ message: z.string() }) },
    async handle(visit, { body }) {
      await forgotPassword(visit.platform, body.email)
      return { message: 'If there is an account with this address, a link is on its way.' }
    },
  }),
  publicOperation({
    method: 'post',
    path: '/auth/reset-password',
    summary: 'Choose a new password by the mailed link',
    tags,
    body: ResetPassword,
    answers: { 204: null },
    async handle(visit, { body }) {
      await resetPassword(visit.platform, body)
    },
  }),
]

async function userBehind(visit: Visit, token: string) {
  const { account } = await findVisitor(visit.platform, token, null)
  return userOf(coachCtx(visit.platform, account!, visit.requestId))
}
