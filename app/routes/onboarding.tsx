import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useMatches } from '@remix-run/react'
import { useState } from 'react'
import { isColor } from '#app/lib/brand.ts'
import { formValues } from '#app/lib/fields.ts'
import { commonTimezones, otherTimezones } from '#app/lib/timezones.ts'
import { finishOnboarding, loadProgress } from '#app/onboarding/onboarding.server.ts'
import { countDone, isStepNumber, requiredSteps, stepNumbers } from '#app/onboarding/steps.ts'
import {
  PreviousButton,
  renderStepLink,
  StepButton,
  stepPath,
  useFailedIntent,
  useIntent,
} from '#app/onboarding/step-buttons.tsx'
import { OnboardingWelcome } from '#app/onboarding/welcome.tsx'
import { finishHint, FinishLabel, Wizard } from '#app/onboarding/wizard.tsx'
import { BrandPreview } from '#app/shell/brand-preview.tsx'
import { initialText, LogoTile, SubdomainField } from '#app/shell/branding-fields.tsx'
import { pageOnNewHost, practiceName } from '#app/shell/branding.server.ts'
import { getImageLimit } from '#app/shell/image-upload.server.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { ColorField } from '#app/ui/forms/color-field.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ImageField } from '#app/ui/forms/image-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { formActions, NoInput, success } from '#modules/core/form-actions.server.ts'
import { listWidgets, preloadWidgets, Slot } from '#modules/core/slot.tsx'
import { getUser, updateBranding, updateProfile } from '#tenants/accounts/accounts.ts'
import { brandingFields } from '#tenants/accounts/fields.ts'
import { profileFields } from '#tenants/accounts/profile-fields.ts'
import { BrandingForm, OnboardingNextForm, OnboardingProfileForm } from '#tenants/accounts/forms.ts'
import { deleteImage } from '#tenants/accounts/images.ts'
import { markOnboardingStep } from '#tenants/accounts/onboarding.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Set up your practice')

/** Without a step in the address, the first one that is open. Visitors see what it is about. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.account) {
    if (context.tenant) throw redirect('/auth?next=/onboarding')
    return null
  }
  const ctx = context.coach()
  const { account } = ctx
  const [{ bio, phone }, { calendar, payment, done }] = await Promise.all([getUser(ctx), loadProgress(ctx)])
  const { businessName, timezone, primaryColor, subdomain } = account
  const asked = Number(new URL(request.url).searchParams.get('step'))
  const firstOpen = stepNumbers.find((step) => !done[step - 1]) ?? 4
  const step = isStepNumber(asked) ? asked : firstOpen
  return {
    step,
    done,
    profile: { businessName, bio, phone, timezone },
    zones: otherTimezones(timezone),
    parts: await preloadWidgets(step === 2 ? calendar : step === 3 ? payment : []),
    name: practiceName(account),
    coach: `${account.firstName} ${account.lastName}`,
    logoUrl: account.logoUrl,
    logoLimit: getImageLimit('logo'),
    branding: { primaryColor, subdomain },
    platformHost: new URL(context.config.origin).host,
  }
}

const messages = {
  save: { done: 'Profile saved.', failed: 'Failed to save profile.' },
  next: { done: null, failed: 'Failed to save profile.' },
  completePayment: { done: 'Payment setup completed', failed: 'Failed to complete the payment setup.' },
  saveBranding: { done: 'Branding saved.', failed: 'Failed to save branding.' },
  removeLogo: { done: 'Logo removed', failed: 'Failed to remove the logo.' },
  finish: { done: { title: 'Your practice is set up' }, failed: 'Failed to finish the setup.' },
}

export const action = formActions(
  messages,
  {
    save: { schema: OnboardingProfileForm, run: updateProfile, to: () => stepPath(1) },
    // Keeps what was typed, and leaves the step open if that is not enough.
    next: {
      schema: OnboardingNextForm,
      run: (ctx, { businessName, ...input }) => updateProfile(ctx, businessName ? { ...input, businessName } : input),
      to: () => stepPath(2),
    },
    completePayment: {
      schema: NoInput,
      run: (ctx) => markOnboardingStep(ctx, 'payment'),
      to: () => stepPath(3),
    },
    saveBranding: {
      schema: BrandingForm,
      run: async (ctx, input, { context }) => {
        await updateBranding(ctx, input)
        return success({ to: pageOnNewHost(context, input.subdomain, stepPath(4)) })
      },
    },
    removeLogo: { schema: NoInput, run: (ctx) => deleteImage(ctx, 'logo'), to: () => stepPath(4) },
    finish: {
      schema: BrandingForm,
      run: async (ctx, input, { context }) => {
        await finishOnboarding(ctx)
        await updateBranding(ctx, input)
        return success({ to: pageOnNewHost(context, input.subdomain, '/dashboard') })
      },
    },
  },
  { home: '/onboarding' },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function OnboardingPage() {
  const data = useLoaderData<typeof loader>()
  const widgets = listWidgets(useMatches().map((match) => match.data)).join(' ')
  if (!data) return <OnboardingWelcome />
  const { step } = data
  return (
    <div data-widgets={widgets || undefined}>
      {step === 1 && <ProfileStep {...data} />}
      {step === 2 && <CalendarStep {...data} />}
      {step === 3 && <PaymentStep {...data} />}
      {step === 4 && <BrandingStep {...data} />}
    </div>
  )
}

type Data = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>>

function ProfileStep({ step, done, profile, zones, name, ...data }: Data) {
  const { form, fields } = useServerForm(profileFields, {
    id: 'profile',
    intent: useFailedIntent('save'),
    values: formValues(profileFields, profile),
  })
  const busy = useIntent()
  const [typedName, setTypedName] = useState(initialText(fields.businessName))
  return (
    <Wizard
      step={step}
      done={done}
      renderStepLink={renderStepLink}
      preview={<Preview {...data} name={typedName.trim() || name} />}
      buttons={
        <>
          <Button
            type="submit"
            form="profile"
            name="intent"
            value="save"
            variant={done[0] ? 'secondary' : 'primary'}
            busy={busy === 'save'}
            busyLabel="Saving..."
          >
            Save Profile
          </Button>
          <Button
            type="submit"
            form="profile"
            name="intent"
            value="next"
            variant={done[0] ? 'primary' : 'secondary'}
            busy={busy === 'next'}
          >
            Next
          </Button>
        </>
      }
    >
      <Form method="post" {...form.props} className="grid grid-cols-[minmax(0,1fr)] gap-4" preventScrollReset>
        <FormError id={form.errorId} errors={form.errors} />
        <TextField
          field={fields.businessName}
          hint="Shown to clients on your page and in emails."
          autoComplete="organization"
          onChange={(event) => setTypedName(event.currentTarget.value)}
        />
        <TextAreaField
          field={fields.bio}
          hint="Who you are and who you work with. Shown on your public page."
          className="prose-serif"
          rows={4}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
          <TextField field={fields.phone} type="tel" autoComplete="tel" />
          <SelectField
            field={fields.timezone}
            choices={[
              { label: 'Common', choices: commonTimezones },
              { label: 'All time zones', choices: zones },
            ]}
          />
        </div>
      </Form>
    </Wizard>
  )
}

function CalendarStep({ step, done, parts, ...data }: Data) {
  return (
    <Wizard
      step={step}
      done={done}
      renderStepLink={renderStepLink}
      preview={<Preview {...data} />}
      buttons={
        <>
          <PreviousButton step={step} />
          {!done[1] && (
            <StepButton to={3} className="btn btn-ghost">
              Skip for Now
            </StepButton>
          )}
          <StepButton to={3} className={`btn ${done[1] ? 'btn-primary' : 'btn-secondary'}`}>
            Next
          </StepButton>
        </>
      }
    >
      {parts.length ? <Slot filled={parts} /> : <p className="note">There is no calendar to connect.</p>}
    </Wizard>
  )
}

function PaymentStep({ step, done, parts, ...data }: Data) {
  const busy = useIntent()
  return (
    <Wizard
      step={step}
      done={done}
      renderStepLink={renderStepLink}
      preview={<Preview {...data} />}
      buttons={
        <>
          <PreviousButton step={step} />
          {!done[2] && (
            <Form method="post" className="contents">
              <Button
                type="submit"
                name="intent"
                value="completePayment"
                variant="primary"
                busy={busy === 'completePayment'}
                busyLabel="Saving..."
              >
                Complete Setup
              </Button>
            </Form>
          )}
          <StepButton to={4} className={`btn ${done[2] ? 'btn-primary' : 'btn-secondary'}`}>
            Next
          </StepButton>
        </>
      }
    >
      <Slot filled={parts} />
      <p className="text-ink-2">
        You can always record cash, bank transfers and other payments yourself, and send invoices. Complete the setup
        with or without card payments; you can add them later, in Settings.
      </p>
    </Wizard>
  )
}

function BrandingStep({ step, done, branding, logoLimit, name, logoUrl, coach, platformHost }: Data) {
  const { form, fields } = useServerForm(brandingFields, {
    id: 'branding',
    intent: useFailedIntent('saveBranding'),
    values: formValues(brandingFields, branding),
  })
  const busy = useIntent()
  const [color, setColor] = useState(initialText(fields.primaryColor))
  const [subdomain, setSubdomain] = useState(initialText(fields.subdomain))
  const previewColor = isColor(color) ? color : branding.primaryColor
  const canFinish = countDone(done) >= requiredSteps
  return (
    <Wizard
      step={step}
      done={done}
      renderStepLink={renderStepLink}
      preview={
        <Preview
          name={name}
          coach={coach}
          logoUrl={logoUrl}
          platformHost={platformHost}
          branding={{ primaryColor: previewColor, subdomain }}
        />
      }
      buttons={
        <>
          <PreviousButton step={step} />
          <Button
            type="submit"
            form="branding"
            name="intent"
            value="saveBranding"
            variant={canFinish ? 'secondary' : 'primary'}
            busy={busy === 'saveBranding'}
            busyLabel="Saving..."
          >
            Save Branding
          </Button>
          <Button
            type="submit"
            form="branding"
            name="intent"
            value="finish"
            variant={canFinish ? 'primary' : 'secondary'}
            disabled={!canFinish}
            aria-describedby={canFinish ? undefined : 'finish-hint'}
            busy={busy === 'finish'}
          >
            <FinishLabel />
          </Button>
          {!canFinish && (
            <p id="finish-hint" className="hint w-full text-right">
              {finishHint}
            </p>
          )}
        </>
      }
    >
      <ImageField
        preview={<LogoTile name={name} logoUrl={logoUrl} color={previewColor} />}
        url={logoUrl}
        removeIntent="removeLogo"
        name="logo"
        label="Logo"
        hint="PNG, JPG or SVG, up to 5 MB. Without a logo, we show your initial."
        action="/branding/logo"
        {...logoLimit}
      />
      <Form method="post" {...form.props} className="grid grid-cols-[minmax(0,1fr)] gap-6" preventScrollReset>
        <FormError id={form.errorId} errors={form.errors} />
        <ColorField field={fields.primaryColor} color={color} onChange={setColor} />
        <SubdomainField field={fields.subdomain} platformHost={platformHost} onChange={setSubdomain} />
      </Form>
    </Wizard>
  )
}

function Preview({
  name,
  coach,
  logoUrl,
  branding,
  platformHost,
}: Pick<Data, 'name' | 'coach' | 'logoUrl' | 'branding' | 'platformHost'>) {
  return (
    <BrandPreview
      name={name}
      coach={coach}
      color={branding.primaryColor}
      logoUrl={logoUrl}
      address={`${branding.subdomain || 'your-name'}.${platformHost}`}
    />
  )
}
