import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { defaultBrand, isColor } from '#app/lib/brand.ts'
import { commonTimezones, otherTimezones, type Timezone } from '#app/lib/timezones.ts'
import { DemoLogo } from '#app/onboarding/demo-logo.tsx'
import { countDone, requiredSteps, type StepNumber } from '#app/onboarding/steps.ts'
import { finishHint, FinishLabel, previousClass, PreviousLabel, Wizard } from '#app/onboarding/wizard.tsx'
import { BrandPreview } from '#app/shell/brand-preview.tsx'
import { SubdomainField } from '#app/shell/branding-fields.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { showToast } from '#app/ui/components/toast-bus.ts'
import { ColorField } from '#app/ui/forms/color-field.tsx'
import { SelectField, TextAreaField, TextField, type FieldState } from '#app/ui/forms/field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { brandingMessages, subdomainPattern } from '#tenants/accounts/branding-rules.ts'
import { brandingFields } from '#tenants/accounts/fields.ts'
import { profileFields } from '#tenants/accounts/profile-fields.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Demo of the setup')

/** A coach's own host has no demo of the platform. */
export function loader({ context }: LoaderFunctionArgs) {
  if (context.tenant) throw data(null, { status: 404 })
  return { zones: otherTimezones(), platformHost: new URL(context.config.origin).host }
}

/** How long connecting takes. Source: part-2 §9. */
const connectMs = { google: 2_000, apple: 1_500 } as const
type CalendarName = keyof typeof connectMs

/** Kept by the page while its steps come and go; a reload begins again. */
type Values = { businessName: string; bio: string; phone: string; timezone: string; color: string; subdomain: string }
const noValues: Values = {
  businessName: '',
  bio: '',
  phone: '',
  timezone: 'America/New_York',
  color: defaultBrand,
  subdomain: '',
}

export default function DemoPage() {
  const { zones, platformHost } = useLoaderData<typeof loader>()
  const demo = useDemo()
  const { step, setStep, done, values, name, color, logoUrl } = demo
  return (
    <Wizard
      step={step}
      done={done}
      notice={<Notice />}
      renderStepLink={(number, label) => (
        <button type="button" className="block w-full text-left hover:underline" onClick={() => setStep(number)}>
          {label}
        </button>
      )}
      preview={
        <BrandPreview
          name={name}
          coach="you"
          color={color}
          logoUrl={logoUrl}
          address={`${values.subdomain || 'your-name'}.${platformHost}`}
        />
      }
      buttons={<StepButtons demo={demo} />}
    >
      {step === 1 && <ProfileStep demo={demo} zones={zones} />}
      {step === 2 && <CalendarStep calendars={demo.calendars} />}
      {step === 3 && (
        <Card title="Card payments">
          <p className="border-t border-line-soft px-5 py-5 text-ink-2">
            In your own practice you connect Stripe here, and clients pay invoices by card. In this demo there is
            nothing to connect: complete the setup to go on.
          </p>
        </Card>
      )}
      {step === 4 && <BrandingStep demo={demo} platformHost={platformHost} />}
    </Wizard>
  )
}

type Demo = ReturnType<typeof useDemo>

/** The values and the progress, kept while the steps come and go. */
function useDemo() {
  const [step, setStep] = useState<StepNumber>(1)
  const [done, setDone] = useState([false, false, false, false])
  const [values, setValues] = useState(noValues)
  const [logoUrl, setLogoUrl] = useState<string | null>(null)
  const [errors, setErrors] = useState<Partial<Record<keyof Values, string>>>({})
  const complete = (number: StepNumber) => setDone((last) => last.map((value, index) => value || index === number - 1))
  const calendars = useCalendars(() => complete(2))
  return {
    step,
    setStep,
    done,
    complete,
    calendars,
    values,
    name: values.businessName.trim() || 'Your Practice',
    color: isColor(values.color) ? values.color : defaultBrand,
    set(name: keyof Values, value: string) {
      setValues((last) => ({ ...last, [name]: value }))
      setErrors((last) => ({ ...last, [name]: undefined }))
    },
    setErrors,
    logoUrl,
    setLogoUrl,
    toField: (name: keyof Values, label: string, required = false): FieldState => ({
      id: `demo-${name}`,
      name,
      label,
      required,
      errors: errors[name] ? [errors[name]] : undefined,
      initialValue: values[name],
    }),
  }
}

function ProfileStep({ demo, zones }: { demo: Demo; zones: Timezone[] }) {
  const { values, set, toField, setErrors, complete } = demo
  function save(event: FormEvent) {
    event.preventDefault()
    if (!values.businessName.trim()) {
      setErrors({ businessName: profileFields.businessName.required })
      document.getElementById('demo-businessName')?.focus()
      return
    }
    complete(1)
    showToast({ tone: 'success', title: 'Success', text: 'Profile saved.' })
  }
  return (
    <form id="demo-profile" onSubmit={save} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <TextField
        field={toField('businessName', profileFields.businessName.label, true)}
        hint="Shown to clients on your page and in emails."
        onChange={(event) => set('businessName', event.currentTarget.value)}
      />
      <TextAreaField
        field={toField('bio', profileFields.bio.label)}
        className="prose-serif"
        rows={4}
        onChange={(event) => set('bio', event.currentTarget.value)}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        <TextField
          field={toField('phone', profileFields.phone.label)}
          type="tel"
          onChange={(event) => set('phone', event.currentTarget.value)}
        />
        <SelectField
          field={toField('timezone', profileFields.timezone.label)}
          choices={[
            { label: 'Common', choices: commonTimezones },
            { label: 'All time zones', choices: zones },
          ]}
          onChange={(event) => set('timezone', event.currentTarget.value)}
        />
      </div>
    </form>
  )
}

/** The calendars that are connected. It goes on when the coach leaves the step. */
function useCalendars(onConnected: () => void) {
  const [connecting, setConnecting] = useState<CalendarName | null>(null)
  const [connected, setConnected] = useState<CalendarName[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>()
  useEffect(() => () => clearTimeout(timer.current), [])
  function connect(calendar: CalendarName) {
    setConnecting(calendar)
    timer.current = setTimeout(() => {
      setConnecting(null)
      setConnected((last) => [...last, calendar])
      onConnected()
      showToast({ tone: 'success', title: `${calendarNames[calendar]} Connected` })
    }, connectMs[calendar])
  }
  return { connecting, connected, connect }
}

function CalendarStep({ calendars: { connecting, connected, connect } }: { calendars: Demo['calendars'] }) {
  return (['google', 'apple'] as const).map((calendar) => (
    <CalendarCard
      key={calendar}
      calendar={calendar}
      isConnected={connected.includes(calendar)}
      isConnecting={connecting === calendar}
      isWaiting={connecting !== null}
      onConnect={() => connect(calendar)}
    />
  ))
}

function BrandingStep({ demo, platformHost }: { demo: Demo; platformHost: string }) {
  const { values, name, color, set, toField, setErrors, complete, logoUrl, setLogoUrl } = demo
  function save(event: FormEvent) {
    event.preventDefault()
    if (!isColor(values.color)) return setErrors({ color: brandingMessages.primaryColor })
    if (values.subdomain && !subdomainPattern.test(values.subdomain))
      return setErrors({ subdomain: brandingMessages.subdomain })
    complete(4)
    showToast({ tone: 'success', title: 'Success', text: 'Branding saved.' })
  }
  return (
    <>
      <DemoLogo name={name} color={color} logoUrl={logoUrl} onChange={setLogoUrl} />
      <form id="demo-branding" onSubmit={save} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <ColorField
          field={toField('color', brandingFields.primaryColor.label)}
          color={values.color}
          onChange={(value) => set('color', value)}
        />
        <SubdomainField
          field={toField('subdomain', brandingFields.subdomain.label)}
          platformHost={platformHost}
          onChange={(value) => set('subdomain', value)}
        />
      </form>
    </>
  )
}

function StepButtons({ demo: { step, setStep, done, complete } }: { demo: Demo }) {
  const isDone = done[step - 1]
  const canFinish = countDone(done) >= requiredSteps
  return (
    <>
      {step > 1 && (
        <button type="button" className={previousClass} onClick={() => setStep((step - 1) as StepNumber)}>
          <PreviousLabel />
        </button>
      )}
      {step === 1 && (
        <Button type="submit" form="demo-profile" variant={isDone ? 'secondary' : 'primary'}>
          Save Profile
        </Button>
      )}
      {step === 2 && !isDone && (
        <Button variant="ghost" onClick={() => setStep(3)}>
          Skip for Now
        </Button>
      )}
      {step === 3 && !isDone && (
        <Button variant="primary" onClick={() => complete(3)}>
          Complete Setup
        </Button>
      )}
      {step === 4 && (
        <Button type="submit" form="demo-branding" variant={canFinish ? 'secondary' : 'primary'}>
          Save Branding
        </Button>
      )}
      {step < 4 ? (
        <Button variant={isDone ? 'primary' : 'secondary'} onClick={() => setStep((step + 1) as StepNumber)}>
          Next
        </Button>
      ) : (
        <FinishButton canFinish={canFinish} />
      )}
    </>
  )
}

function FinishButton({ canFinish }: { canFinish: boolean }) {
  if (canFinish)
    return (
      <Link className="btn btn-primary" to="/dashboard">
        <FinishLabel />
      </Link>
    )
  return (
    <>
      <Button disabled aria-describedby="finish-hint">
        <FinishLabel />
      </Button>
      <p id="finish-hint" className="hint w-full text-right">
        {finishHint}
      </p>
    </>
  )
}

function Notice() {
  return (
    <div className="note mb-8">
      <p>
        This is a demo: nothing that you enter is saved or sent.{' '}
        <Link className="link" to="/auth?tab=register&next=/onboarding">
          Create an account
        </Link>{' '}
        to set up your own practice.
      </p>
      <noscript>
        <p className="font-medium">The demo needs JavaScript.</p>
      </noscript>
    </div>
  )
}

const calendarNames = { google: 'Google Calendar', apple: 'Apple Calendar' } as const
const calendarTexts = {
  google: 'Your sessions in your calendar, and no bookings while you are busy there.',
  apple: 'Subscribe to your sessions on your iPhone, iPad or Mac.',
} as const

function CalendarCard({
  calendar,
  isConnected,
  isConnecting,
  isWaiting,
  onConnect,
}: {
  calendar: CalendarName
  isConnected: boolean
  isConnecting: boolean
  isWaiting: boolean
  onConnect: () => void
}) {
  return (
    <Card title={calendarNames[calendar]}>
      <div className="grid justify-items-start gap-4 border-t border-line-soft px-5 py-5">
        <p className="text-ink-2">{calendarTexts[calendar]}</p>
        {isConnected ? (
          <Badge tone="success">Connected</Badge>
        ) : (
          <Button
            variant="secondary"
            busy={isConnecting}
            busyLabel="Connecting..."
            disabled={isWaiting && !isConnecting}
            onClick={onConnect}
          >
            {`Connect ${calendarNames[calendar]}`}
          </Button>
        )}
      </div>
    </Card>
  )
}
