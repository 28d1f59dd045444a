import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { useState } from 'react'
import { isColor } from '#app/lib/brand.ts'
import { formValues } from '#app/lib/fields.ts'
import { BrandPreview } from '#app/shell/brand-preview.tsx'
import { DomainBadge } from '#app/shell/domain-badge.tsx'
import { initialText, LogoTile, SubdomainField } from '#app/shell/branding-fields.tsx'
import { pageOnNewHost, practiceName } from '#app/shell/branding.server.ts'
import { getImageLimit } from '#app/shell/image-upload.server.ts'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { ColorField } from '#app/ui/forms/color-field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ImageField } from '#app/ui/forms/image-field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formActions, NoInput, success } from '#modules/core/form-actions.server.ts'
import { updateBranding } from '#tenants/accounts/accounts.ts'
import { brandingFields } from '#tenants/accounts/fields.ts'
import { BrandingForm } from '#tenants/accounts/forms.ts'
import { deleteImage } from '#tenants/accounts/images.ts'
import { coachOrigin } from '#tenants/config.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import { findCustomDomain, getDomainState } from '#tenants/domains/queries.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Branding')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { account } = ctx
  const domain = await findCustomDomain(ctx)
  const hasDomainPlan = planIncludes(ctx.plan, 'custom-domain')
  return {
    domain: domain && {
      hostname: domain.hostname,
      state: hasDomainPlan ? getDomainState(domain) : ('paused' as const),
      isLive: hasDomainPlan && domain.verifiedAt !== null,
    },
    hasDomainPlan,
    name: practiceName(account),
    coach: `${account.firstName} ${account.lastName}`,
    logoUrl: account.logoUrl,
    logoLimit: getImageLimit('logo'),
    branding: { primaryColor: account.primaryColor, subdomain: account.subdomain },
    platformHost: new URL(context.config.origin).host,
    publicPage: coachOrigin(context.config, account),
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
        return success({ to: pageOnNewHost(context, input.subdomain, '/branding') })
      },
    },
    removeLogo: { schema: NoInput, run: (ctx) => deleteImage(ctx, 'logo'), to: () => '/branding' },
  },
  { home: '/branding' },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function BrandingPage() {
  const { name, coach, branding, logoUrl, logoLimit, platformHost, domain } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm(brandingFields, {
    id: 'branding',
    intent: 'save',
    values: formValues(brandingFields, branding),
  })
  const [color, setColor] = useState(initialText(fields.primaryColor))
  const [subdomain, setSubdomain] = useState(initialText(fields.subdomain))
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
            preview={<LogoTile name={name} logoUrl={logoUrl} color={previewColor} />}
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
            <SubdomainField field={fields.subdomain} platformHost={platformHost} onChange={setSubdomain} />
            <div className="flex justify-end">
              <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
                Save Branding
              </Button>
            </div>
          </Form>
          <PublicPage />
          <OwnDomain />
        </div>
        <BrandPreview
          name={name}
          coach={coach}
          color={previewColor}
          logoUrl={logoUrl}
          address={domain?.isLive ? domain.hostname : `${subdomain || 'your-name'}.${platformHost}`}
        />
      </div>
    </Page>
  )
}

function PublicPage() {
  const { publicPage, name } = useLoaderData<typeof loader>()
  return (
    <Card title="Your public page">
      <div id="public-page" className="grid justify-items-start gap-4 border-t border-line-soft px-5 py-5">
        <p className="text-ink-2">
          {publicPage
            ? 'Who you are, what you offer, and how to book it. Share its address wherever people look for you.'
            : 'Choose a web address above, and visitors find there who you are and what you offer.'}
        </p>
        {publicPage && (
          <>
            <p className="font-medium wrap-anywhere">{publicPage}</p>
            <div className="flex flex-wrap gap-3">
              <a className="btn btn-secondary" href={`${publicPage}/?view=public`} target="_blank" rel="noreferrer">
                View Public Page
              </a>
              <CopyButton text={publicPage} label="Copy Address" />
              <a
                className="btn btn-secondary"
                href={`mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(publicPage)}`}
              >
                Share by Email
              </a>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

function OwnDomain() {
  const { domain, hasDomainPlan } = useLoaderData<typeof loader>()
  return (
    <Card title="Your own domain" aside={domain && <DomainBadge state={domain.state} />}>
      <div className="grid justify-items-start gap-4 border-t border-line-soft px-5 py-5">
        {domain ? (
          <p className="font-medium wrap-anywhere">{domain.hostname}</p>
        ) : (
          <p className="text-ink-2">
            {hasDomainPlan
              ? 'Use an address that is all yours, such as coaching.example.com.'
              : 'An address that is all yours, such as coaching.example.com, is part of the Premium plan.'}
          </p>
        )}
        {domain || hasDomainPlan ? (
          <ButtonLink to="/branding/domain">{domain ? 'Manage Domain' : 'Add a Domain'}</ButtonLink>
        ) : (
          <ButtonLink to="/upgrade">See the Plans</ButtonLink>
        )}
      </div>
    </Card>
  )
}
