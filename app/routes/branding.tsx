import type { AppLoadContext, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { useRef, useState, type CSSProperties } from 'react'
import { isColor } from '#app/lib/brand.ts'
import { formValues } from '#app/lib/fields.ts'
import { BrandPreview } from '#app/shell/brand-preview.tsx'
import { practiceName } from '#app/shell/branding.server.ts'
import { getImageLimit } from '#app/shell/image-upload.server.ts'
import { Button } from '#app/ui/components/button.tsx'
import { controlProps, Field, FormError } from '#app/ui/forms/field.tsx'
import { ColorField } from '#app/ui/forms/color-field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ImageField } from '#app/ui/forms/image-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Logo, pageTitle, useBrand } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { usePrehydrationValue } from '#app/ui/forms/use-prehydration-value.ts'
import { formActions, NoInput, success } from '#modules/core/form-actions.server.ts'
import { updateBranding } from '#tenants/accounts/accounts.ts'
import { brandingFields } from '#tenants/accounts/fields.ts'
import { BrandingForm } from '#tenants/accounts/forms.ts'
import { deleteImage } from '#tenants/accounts/images.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Branding')

export function loader({ context }: LoaderFunctionArgs) {
  const { account } = context.coach()
  return {
    name: practiceName(account),
    coach: `${account.firstName} ${account.lastName}`,
    logoUrl: account.logoUrl,
    logoLimit: getImageLimit('logo'),
    branding: { primaryColor: account.primaryColor, subdomain: account.subdomain },
    platformHost: new URL(context.config.origin).host,
  }
}

const messages = {
  save: { done: 'Branding saved.', failed: 'Failed to save branding.' },
  removeLogo: { done: 'Logo removed', failed: 'Failed to remove the logo.' },
}

export const action = formActions(
  messages,
  {
    save: {
      schema: BrandingForm,
      run: async (ctx, input, { context }) => {
        await updateBranding(ctx, input)
        return success({ to: brandingHref(context, input.subdomain) })
      },
    },
    removeLogo: { schema: NoInput, run: (ctx) => deleteImage(ctx, 'logo'), to: () => '/branding' },
  },
  { home: '/branding' },
)

/** On the coach's own host the old URL stops working: continues on the new host, or on the platform. */
function brandingHref({ tenant, config }: AppLoadContext, subdomain: string | null | undefined): string {
  if (!tenant || subdomain === undefined || subdomain === tenant.subdomain) return '/branding'
  const origin = new URL(config.origin)
  if (subdomain) origin.hostname = `${subdomain}.${origin.hostname}`
  return `${origin.origin}/branding`
}

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function BrandingPage() {
  const { name, coach, branding, logoUrl, logoLimit, platformHost } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm(brandingFields, {
    id: 'branding',
    intent: 'save',
    values: formValues(brandingFields, branding),
  })
  const [color, setColor] = useState(initialText(fields.primaryColor))
  const [subdomain, setSubdomain] = useState(initialText(fields.subdomain))
  const subdomainInput = useRef<HTMLInputElement>(null)
  usePrehydrationValue(subdomainInput, setSubdomain)
  const previewColor = isColor(color) ? color : branding.primaryColor
  return (
    <Page
      title="Branding"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Branding' }]}
      description="Your clients see this. The preview updates as you edit."
    >
      <div className="grid gap-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <div className="grid max-w-xl content-start gap-6">
          <ImageField
            preview={
              <span data-brand style={{ '--brand': previewColor } as CSSProperties}>
                <LogoTile name={name} logoUrl={logoUrl} />
              </span>
            }
            url={logoUrl}
            removeIntent="removeLogo"
            name="logo"
            label="Logo"
            hint="PNG, JPG or SVG, up to 5 MB. Without a logo, we show your initial."
            action="/branding/logo"
            {...logoLimit}
          />
          <Form method="post" {...form.props} className="grid content-start gap-6" preventScrollReset>
            <input type="hidden" name="intent" value="save" />
            <FormError id={form.errorId} errors={form.errors} />
            <ColorField field={fields.primaryColor} color={color} onChange={setColor} />
            <Field field={fields.subdomain}>
              <span className="flex">
                <input
                  {...controlProps(fields.subdomain, 'hint')}
                  ref={subdomainInput}
                  className="input min-w-0 !rounded-r-none"
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={40}
                  onChange={(event) => setSubdomain(event.currentTarget.value)}
                />
                <span
                  className={`flex max-w-[60%] shrink-0 items-center rounded-r-md border border-l-0 border-line-strong
                    bg-sunken px-3 text-ink-2`}
                >
                  <span className="truncate">.{platformHost}</span>
                </span>
              </span>
              {!fields.subdomain.errors && (
                <p className="hint" id={`${fields.subdomain.id}-hint`}>
                  3–40 lowercase letters, numbers or hyphens. Changing it takes effect immediately and breaks old links;
                  the old address stays reserved for you for 90 days.
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
          color={previewColor}
          logoUrl={logoUrl}
          address={`${subdomain || 'your-name'}.${platformHost}`}
        />
      </div>
    </Page>
  )
}

function LogoTile({ name, logoUrl }: { name: string; logoUrl: string | null }) {
  const platformName = useBrand()?.platformName ?? null
  return (
    <Logo
      brand={{ name, logoUrl, platformName: name === platformName ? null : platformName }}
      className="!size-14 !min-w-14 !rounded-xl [&>span]:text-2xl"
    />
  )
}

function initialText(field: { initialValue?: unknown }): string {
  return typeof field.initialValue === 'string' ? field.initialValue : ''
}
