import { z } from 'zod'
import { email, line, optional, requiredLine, text, timezone } from '#app/lib/zod-types.ts'

// The schemas of sign-in, registration and the account, shared by the screens, the API and the tests.

const password = z.preprocess(
  (value) => value ?? '',
  z.string('Password is required').min(1, 'Password is required').max(1000, 'Use at most 1,000 characters'),
)
const newPassword = z.preprocess(
  (value) => value ?? '',
  z
    .string('Password is required')
    .min(6, 'Use at least 6 characters')
    .max(1000, 'Use at most 1,000 characters')
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'This password has a broken character')
    .refine((value) => value.trim() !== '', 'Use more than blanks'),
)

export const Login = z.object({ email: requiredLine('Email is required', 1000), password })
export const Register = z.object({
  email: email(),
  password: newPassword,
  firstName: requiredLine('First name is required'),
  lastName: requiredLine('Last name is required'),
})
export const ForgotPassword = z.object({ email: requiredLine('Email is required', 1000) })
export const ResetPassword = z.object({ token: requiredLine('This link is incomplete', 1000), password: newPassword })

/** What is left out stays as it is. */
export const Profile = z
  .object({
    businessName: requiredLine('Business name is required'),
    bio: optional(text()),
    phone: optional(line()),
    timezone: timezone(),
    onboardingCompleted: z.boolean(),
  })
  .partial()

const reserved = new Set(
  'www api app admin mail smtp imap ftp assets static cdn dev test status help support blog docs auth login account billing dashboard platform root ns1 ns2 localhost'.split(
    ' ',
  ),
)

export const Branding = z
  .object({
    primaryColor: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'Choose a color such as #6366f1')
      .transform((value) => value.toLowerCase()),
    subdomain: optional(
      z
        .string()
        .trim()
        .regex(/^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/, 'Use 3 to 40 of a–z, 0–9 and hyphens, with no hyphen at either end')
        .refine((value) => !reserved.has(value), 'This name is reserved'),
    ),
    logoUrl: optional(
      // Whether an upload is there, and the coach's own, the service finds out.
      line(2048).refine(
        (value) =>
          /^\/uploads\/[0-9a-f]{32}$/.test(value) || (URL.canParse(value) && new URL(value).protocol === 'https:'),
        'Enter an address that begins with https://',
      ),
    ),
  })
  .partial()
