import { z } from 'zod'
import { maxPasswordLength, minPasswordLength } from '#app/lib/password-length.ts'
import {
  choice,
  email,
  singleLine,
  emptyAsNull,
  requiredLine,
  multiLine,
  timezone,
  version,
} from '#app/lib/zod-types.ts'
import {
  forgotPasswordFields,
  loginFields,
  passwordChangeFields,
  registrationFields,
  resetPasswordFields,
} from './fields.ts'
import { profileFields } from './profile-fields.ts'
import { brandingMessages, subdomainPattern } from './branding-rules.ts'
import { planNames } from './plans.ts'

// Shared by screens, API and tests.

/** A password or code to compare. `message`: for an empty one. */
export const secret = (message: string) =>
  z.preprocess((value) => value ?? '', z.string(message).min(1, message).max(1000, 'Use at most 1,000 characters'))
/** The service also rejects common passwords, see `checkNewPassword`. */
const newPassword = z.preprocess(
  (value) => value ?? '',
  z
    .string(loginFields.password.required)
    .min(minPasswordLength, `Use at least ${minPasswordLength} characters`)
    .max(maxPasswordLength, `Use at most ${maxPasswordLength} characters`)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'Password contains an unsupported character')
    .refine((value) => value.trim() !== '', "Password can't be only spaces"),
)

const firstName = requiredLine(registrationFields.firstName.required)
const lastName = requiredLine(registrationFields.lastName.required)

export const Login = z.object({
  email: requiredLine(loginFields.email.required, 1000),
  password: secret(loginFields.password.required),
})
export const Register = z.object({
  email: email(),
  password: newPassword,
  firstName,
  lastName,
})
/** The registration page also sends the chosen plan and the browser's time zone. Invalid values are ignored. */
export const RegistrationForm = Register.extend({
  plan: z.enum(planNames).optional().catch(undefined),
  timezone: timezone().optional().catch(undefined),
})
export const ForgotPassword = z.object({ email: requiredLine(forgotPasswordFields.email.required, 1000) })
export const ResetPassword = z.object({
  token: requiredLine(resetPasswordFields.token.required, 1000),
  password: newPassword,
})

/** The token of an emailed link. */
export const EmailLink = ResetPassword.pick({ token: true })

export const AccountName = z.object({ firstName, lastName })
const currentPassword = secret(passwordChangeFields.currentPassword.required)
export const EmailChange = z.object({ email: email(), currentPassword })
export const PasswordChange = z.object({ currentPassword, newPassword })

/** Omitted fields stay unchanged. */
export const Profile = z
  .object({
    businessName: requiredLine(profileFields.businessName.required),
    bio: emptyAsNull(multiLine()),
    phone: emptyAsNull(singleLine()),
    timezone: timezone(),
    weekStart: choice(['sunday', 'monday', 'saturday']),
    timeFormat: choice(['12h', '24h']),
    onboardingCompleted: z.boolean(),
  })
  .partial()

const ProfileFields = Profile.omit({ onboardingCompleted: true })
/** The form in Settings. `version`: as of `profileVersion`. */
export const ProfileForm = ProfileFields.extend({ version: version() })

/** The first step of the onboarding. */
export const OnboardingProfileForm = ProfileFields.pick({ businessName: true, bio: true, phone: true, timezone: true })
/** As above, where a coach may go on without a name. */
export const OnboardingNextForm = OnboardingProfileForm.extend({ businessName: emptyAsNull(singleLine()).optional() })

/** The service also rejects reserved names, see `checkSubdomain`. */
const subdomain = z.string().trim().regex(subdomainPattern, brandingMessages.subdomain)

/** null clears the subdomain. */
export const Branding = z
  .object({
    primaryColor: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, brandingMessages.primaryColor)
      .transform((value) => value.toLowerCase()),
    subdomain: subdomain.nullable(),
    logoUrl: emptyAsNull(
      // The service checks that an upload exists and belongs to the coach.
      singleLine(2048).refine(
        (value) => /^\/uploads\/[0-9a-f]{32}$/.test(value) || isPublicHttpsUrl(value),
        'Enter an address that begins with https://',
      ),
    ),
  })
  .partial()

/** The form clears the subdomain with an empty field. */
export const BrandingForm = Branding.omit({ logoUrl: true }).extend({ subdomain: emptyAsNull(subdomain).optional() })

/** Credentials in a URL would be shown to everybody who sees the logo. */
function isPublicHttpsUrl(value: string): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'https:' && !url.username && !url.password
}
