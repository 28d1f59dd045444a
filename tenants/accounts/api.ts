import { z } from 'zod'
import { UserOut, register, updateBranding, updateProfile, startTrial, getUser } from './accounts.ts'
import { coachContext } from '../context.ts'
import { Branding, ForgotPassword, Profile, Register, ResetPassword } from './forms.ts'
import { operation, publicOperation, type Cookie, type Operation, type RequestContext } from '../api/operation.ts'
import { LoginWithCode } from '../auth/forms.ts'
import { requestPasswordReset, resetPassword } from '../auth/one-time-tokens.ts'
import { findViewer, signOut } from '../auth/sessions.ts'
import { signIn } from '../auth/sign-in-steps.ts'

export const sessionCookieName = 'session'
const sessionSeconds = 30 * 86_400

/** The session cookie; null deletes it. */
export function createSessionCookie(token: string | null): Cookie {
  return { name: sessionCookieName, value: token ?? '', maxAge: token ? sessionSeconds : 0 }
}

const tags = ['Authentication']

/** Source: api.md "Authentication". */
export const authenticationOperations: Operation[] = [
  publicOperation({
    method: 'post',
    path: '/register',
    platformOnly: true,
    summary: 'Create an account and sign in',
    tags,
    body: Register,
    answers: { 201: UserOut },
    async handle(context, { body, response }) {
      const { token } = await register(context.platform, body, context)
      response.cookies.push(createSessionCookie(token))
      return getSessionUser(context, token)
    },
  }),
  publicOperation({
    method: 'post',
    path: '/login',
    summary: 'Sign in',
    description: 'With two-step sign-in: 401 `second_factor_required` without a `code` of the authenticator app.',
    tags,
    body: LoginWithCode,
    answers: { 200: UserOut },
    async handle(context, { body, response }) {
      const { token } = await signIn(context.platform, body, context)
      response.cookies.push(createSessionCookie(token))
      return getSessionUser(context, token)
    },
  }),
  publicOperation({
    method: 'get',
    path: '/login',
    summary: 'Redirect to the sign-in page',
    tags,
    answers: { 302: null },
    async handle(_context, { response }) {
      response.headers.Location = '/auth'
    },
  }),
  publicOperation({
    method: 'post',
    path: '/logout',
    summary: 'Sign out and delete the session',
    tags,
    answers: { 204: null },
    async handle(context, { response }) {
      await signOut(context.platform, context.viewer)
      response.cookies.push(createSessionCookie(null))
    },
  }),
  ...['/user', '/auth/user'].map((path) =>
    operation({
      method: 'get',
      path,
      permission: 'account:profile:read',
      summary: 'Get the signed-in account',
      tags,
      answers: { 200: UserOut },
      handle: getUser,
    }),
  ),
  operation({
    method: 'put',
    path: '/auth/profile',
    permission: 'account:profile:write',
    summary: 'Change the practice',
    description: '`weekStart` and `timeFormat` decide how screens and emails show weeks and times.',
    tags,
    body: Profile,
    answers: { 200: UserOut },
    async handle(ctx, { body }) {
      await updateProfile(ctx, body)
      return getUser(ctx)
    },
  }),
  operation({
    method: 'put',
    path: '/branding',
    permission: 'account:profile:write',
    summary: 'Change color, logo and subdomain',
    tags,
    body: Branding,
    answers: { 200: UserOut },
    async handle(ctx, { body }) {
      await updateBranding(ctx, body)
      return getUser(ctx)
    },
  }),
  operation({
    method: 'post',
    path: '/subscription/trial',
    permission: 'account:plan:write',
    summary: 'Start the trial of Pro, once, for 14 days',
    tags,
    answers: { 200: UserOut },
    async handle(ctx) {
      await startTrial(ctx)
      return getUser(ctx)
    },
  }),
  publicOperation({
    method: 'post',
    path: '/auth/forgot-password',
    summary: 'Request an email to reset the password',
    tags,
    body: ForgotPassword,
    answers: { 202: z.object({ message: z.string() }) },
    async handle(context, { body }) {
      await requestPasswordReset(context.platform, body, context)
      return { message: 'If there is an account with this address, a link is on its way.' }
    },
  }),
  publicOperation({
    method: 'post',
    path: '/auth/reset-password',
    summary: 'Set a new password with an emailed token',
    tags,
    body: ResetPassword,
    answers: { 204: null },
    async handle(context, { body }) {
      await resetPassword(context.platform, body, context)
    },
  }),
]

async function getSessionUser(context: RequestContext, token: string) {
  const { account } = await findViewer(context.platform, token, context.viewer.domain)
  return getUser(coachContext(context.platform, account!, context))
}
