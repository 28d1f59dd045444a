import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation, useSubmit } from '@remix-run/react'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { fillOf, isColor } from '#app/lib/brand.ts'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { formOf, redirectWithToast, submit } from '#app/lib/form-submission.ts'
import { BrandPreview } from '#app/shell/brand-preview.tsx'
import { practiceName } from '#app/shell/branding.server.ts'
import { Button } from '#app/ui/components/button.tsx'
import { control, Field, FieldNote, FormError, type FieldLike } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { Mark, titled, useIdentity } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { useTypedBefore } from '#app/ui/forms/use-prehydration-value.ts'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { saveBranding } from '#tenants/accounts/accounts.ts'
import { Branding } from '#tenants/accounts/forms.ts'
import { removeLogo } from '#tenants/accounts/logos.ts'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Branding')

export function loader({ context }: LoaderFunctionArgs) {
  const { account } = context.coach()
  return {
    name: practiceName(account),
    coach: `${account.firstName} ${account.lastName}`,
    logoUrl: account.logoUrl,
    branding: { primaryColor: account.primaryColor, subdomain: account.subdomain },
    platformHost: new URL(context.config.origin).host,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { tenant, config } = context
  context.coach()
  const form = await formOf(request.clone())
  if (form.get('intent') === 'remove-logo') {
    await context.write((ctx) => removeLogo(ctx))
    return redirectWithToast('/branding', { tone: 'success', title: 'Logo removed' })
  }
  return submit(
    request,
    Branding.omit({ logoUrl: true }),
    async (input) => context.write(async (ctx) => (await saveBranding(ctx, input), input)),
    {
      toast: 'Branding saved.',
      // On one's own host the old address ends with this answer: go on at the new one, or at the platform.
      to: ({ subdomain }) => {
        if (!tenant || subdomain === undefined || subdomain === tenant.subdomain) return '/branding'
        const origin = new URL(config.origin)
        if (subdomain) origin.hostname = `${subdomain}.${origin.hostname}`
        return `${origin.origin}/branding`
      },
    },
  )
}

export const clientAction = keepTyped({ '': 'Failed to save branding.', 'remove-logo': 'Failed to remove the logo.' })

export { revalidates as shouldRevalidate }

type Fields = { primaryColor: string; subdomain: string }

export default function BrandingPage() {
  const { name, coach, branding, logoUrl, platformHost } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm<Fields>({ id: 'branding', values: branding })
  const [color, setColor] = useState(textOf(fields.primaryColor))
  const [subdomain, setSubdomain] = useState(textOf(fields.subdomain))
  const address = useRef<HTMLInputElement>(null)
  useTypedBefore(address, setSubdomain)
  const shownColor = isColor(color) ? color : branding.primaryColor
  return (
    <Page
      title="Branding"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Branding' }]}
      sentence="Your clients see this. The preview follows as you choose."
    >
      <div className="grid gap-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <div className="grid max-w-xl content-start gap-6">
          <div className="flex items-start gap-4">
            <div className="grid justify-items-center gap-1">
              <span data-brand style={{ '--brand': shownColor } as CSSProperties} className="mt-1">
                <LogoTile name={name} logoUrl={logoUrl} />
              </span>
              {logoUrl !== null && (
                <Form method="post" preventScrollReset>
                  <Button
                    type="submit"
                    size="sm"
                    variant="ghost"
                    name="intent"
                    value="remove-logo"
                    aria-label="Remove logo"
                    className="!px-1.5"
                  >
                    Remove
                  </Button>
                </Form>
              )}
            </div>
            <LogoForm />
          </div>
          <Form method="post" {...form.props} className="grid content-start gap-6" preventScrollReset>
            <FormError id={form.errorId} errors={form.errors} />
            <ColorField field={fields.primaryColor} color={color} onChoose={setColor} />
            <Field field={fields.subdomain} label="Web address">
              <span className="flex">
                <input
                  {...control(fields.subdomain, 'hint')}
                  ref={address}
                  className="input min-w-0 !rounded-r-none"
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={40}
                  onChange={(event) => setSubdomain(event.currentTarget.value)}
                />
                <span className="flex max-w-[60%] shrink-0 items-center rounded-r-md border border-l-0 border-line-strong bg-sunken px-3 text-ink-2">
                  <span className="truncate">.{platformHost}</span>
                </span>
              </span>
              {!fields.subdomain.errors && (
                <p className="hint" id={`${fields.subdomain.id}-hint`}>
                  3 to 40 of a–z, 0–9 and hyphens. A new address counts at once; the old one stops working.
                </p>
              )}
            </Field>
            <div className="flex justify-end">
              <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
                Save Branding
              </Button>
            </div>
          </Form>
        </div>
        <BrandPreview
          name={name}
          coach={coach}
          color={shownColor}
          logoUrl={logoUrl}
          address={`${subdomain || 'your-name'}.${platformHost}`}
        />
      </div>
    </Page>
  )
}

const swatches = ['#6366f1', '#0f766e', '#b45309', '#be123c', '#7a2e5d', '#1d4ed8', '#facc15', '#292524']

/** A few good colours at a press, any other by its hex value: the one field that is sent. */
function ColorField({
  field,
  color,
  onChoose,
}: {
  field: FieldLike
  color: string
  onChoose: (color: string) => void
}) {
  const { defaultValue: _, ...attributes } = control(field, 'hint')
  const hex = useRef<HTMLInputElement>(null)
  useTypedBefore(hex, onChoose)
  return (
    <fieldset className="field">
      <legend className="label mb-1.5">Primary color</legend>
      <div className="flex flex-wrap items-center gap-1">
        {swatches.map((swatch) => (
          <button
            key={swatch}
            type="button"
            aria-label={swatch}
            aria-pressed={color.toLowerCase() === swatch}
            onClick={() => onChoose(swatch)}
            className={`grid size-9 place-items-center rounded-full ${color.toLowerCase() === swatch ? 'shadow-[inset_0_0_0_2px_var(--ink)]' : ''}`}
          >
            <span
              className="size-7 rounded-full shadow-[inset_0_0_0_1px_oklch(0_0_0/0.12)]"
              style={{ background: swatch }}
            />
          </button>
        ))}
        <span className="mx-1 h-6 w-px bg-line" />
        <input
          type="color"
          aria-label="Pick a color"
          value={isColor(color) ? color : '#6366f1'}
          onChange={(event) => onChoose(event.currentTarget.value)}
          className="size-9 cursor-pointer rounded-md border border-line-mid bg-surface p-1"
        />
        <input
          {...attributes}
          ref={hex}
          aria-label="Hex value"
          className="input num !w-24"
          value={color}
          maxLength={7}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChoose(event.currentTarget.value)}
        />
      </div>
      <FieldNote
        field={field}
        hint={
          isColor(color) && (
            <span className="flex items-start gap-1.5">
              <CircleCheck className="i mt-0.5 !size-3.5 text-success-text" />
              {contrastNote(color)}
            </span>
          )
        }
      />
    </fieldset>
  )
}

function contrastNote(color: string): string {
  const { fill, label, contrast } = fillOf(color)
  const ink = label === '#ffffff' ? 'White' : 'Dark'
  const changed = fill !== color.toLowerCase()
  return `${ink} text on ${changed ? 'a slightly darker shade of this color' : 'this color'}: ${contrast.toFixed(1)} to 1. Shades for links, tints and dark mode are made for you.`
}

/** A chosen picture is sent at once, also one that was chosen before scripts were there; without scripts a button sends it. */
function LogoForm() {
  const submit = useSubmit()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current?.files?.length) submit(input.current.form)
  }, [submit])
  const busy = useNavigation().formAction?.startsWith('/branding/logo') ?? false
  return (
    <div className="field min-w-0 flex-1">
      <label className="label" htmlFor="logo">
        Logo
      </label>
      <Form
        method="post"
        action="/branding/logo"
        encType="multipart/form-data"
        className="flex min-w-0 flex-wrap items-center gap-2"
        noValidate
        preventScrollReset
      >
        <input
          ref={input}
          id="logo"
          type="file"
          name="logo"
          accept="image/png,image/jpeg,image/svg+xml"
          aria-describedby="logo-hint"
          className="min-w-0 max-w-full cursor-pointer text-sm text-ink-3 file:mr-2.5 file:h-[1.875rem] file:cursor-pointer file:rounded-md file:px-2.5 file:font-medium file:text-ink file:shadow-[inset_0_0_0_1px_var(--line-mid)] hover:file:bg-hover pointer-coarse:file:h-11"
          onChange={(event) => event.currentTarget.files?.length && submit(event.currentTarget.form)}
        />
        <noscript>
          <button type="submit" className="btn btn-secondary btn-sm">
            Upload
          </button>
        </noscript>
      </Form>
      <p className="hint" id="logo-hint" role="status">
        {busy
          ? 'Uploading...'
          : 'PNG, JPG or SVG, smaller than 5 MB. Without one the first letter of your name stands in.'}
      </p>
    </div>
  )
}

function LogoTile({ name, logoUrl }: { name: string; logoUrl: string | null }) {
  const platformName = useIdentity()?.platformName ?? null
  return (
    <Mark
      identity={{ name, logoUrl, platformName: name === platformName ? null : platformName }}
      className="!size-14 !min-w-14 !rounded-xl [&>span]:text-2xl"
    />
  )
}

function textOf(field: { initialValue?: unknown }): string {
  return typeof field.initialValue === 'string' ? field.initialValue : ''
}
