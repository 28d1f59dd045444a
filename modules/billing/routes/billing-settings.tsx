import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { currencies, currencyName } from '#app/lib/currencies.ts'
import type { Fields } from '#app/lib/fields.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, HistoryLink } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { CurrencyForm, SettingsForm } from '../invoices/forms.ts'
import { getSettings } from '../queries/settings.ts'
import { chooseCurrency, hasSales } from '../services/currency.ts'
import { updateSettings } from '../services/settings.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Billing Settings')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const [{ id, version, pricesIncludeTax, ...settings }, isFixed] = await Promise.all([getSettings(ctx), hasSales(ctx)])
  return {
    currency: ctx.account.currency,
    currencyName: currencyName(ctx.account.currency),
    currencies: isFixed
      ? []
      : currencies.map((code) => ({ value: code, label: `${code.toUpperCase()}, ${currencyName(code)}` })),
    isFixed,
    id,
    version,
    values: {
      legalName: settings.legalName ?? '',
      address: settings.address ?? '',
      taxId: settings.taxId ?? '',
      taxName: settings.taxName,
      taxRate: settings.taxRate,
      taxMode: pricesIncludeTax ? 'included' : 'added',
      invoicePrefix: settings.invoicePrefix,
      nextNumber: String(settings.nextNumber),
      paymentDays: String(settings.paymentDays),
      defaultNotes: settings.defaultNotes ?? '',
      invoiceFooter: settings.invoiceFooter ?? '',
    },
  }
}

const messages = {
  save: { done: 'Billing settings saved', failed: 'Failed to save the billing settings.' },
  currency: { done: 'Currency chosen', failed: 'Failed to choose the currency.' },
}

export const action = formActions(
  messages,
  {
    save: {
      schema: SettingsForm,
      run: (ctx, { version, settings }) => updateSettings(ctx, settings, version),
      to: () => '/settings/billing',
    },
    currency: {
      schema: CurrencyForm,
      run: (ctx, { currency }) => chooseCurrency(ctx, currency),
      to: () => '/settings/billing',
    },
  },
  { home: '/settings/billing' },
)

export const clientAction = formClientAction(messages)

const settingsFields = {
  legalName: { kind: 'line', label: 'Business name', optional: true },
  address: { kind: 'text', label: 'Address', optional: true },
  taxId: { kind: 'line', label: 'Tax ID', optional: true, max: 60 },
  taxName: { kind: 'line', label: 'Name of the tax', required: 'Enter a name such as Tax or VAT', max: 40 },
  taxRate: { kind: 'line', label: 'Tax rate in percent', max: 10 },
  taxMode: {
    kind: 'choice',
    label: 'Tax',
    choices: { added: 'Added to the prices', included: 'Included in the prices' },
    message: 'Choose how tax is computed',
  },
  invoicePrefix: { kind: 'line', label: 'Prefix', optional: true, max: 20 },
  nextNumber: { kind: 'line', label: 'Next number', max: 9 },
  paymentDays: { kind: 'line', label: 'Days until an invoice is due', max: 3 },
  defaultNotes: { kind: 'text', label: 'Default notes', optional: true },
  invoiceFooter: { kind: 'text', label: 'Footer', optional: true },
} as const satisfies Fields

const crumbs = [{ label: 'Settings', to: '/settings' }, { label: 'Billing' }]

export default function BillingSettingsPage() {
  const { id, version, values } = useLoaderData<typeof loader>()
  const state = useServerForm(settingsFields, { id: 'billing-settings', intent: 'save', values })
  const { form, busy } = state
  const { key, inputs, notice, fields } = useEditConflict(state, { noun: 'page', current: { version, values } })
  return (
    <Page
      title="Billing"
      crumbs={crumbs}
      description="What your invoices say. Invoices that are issued already stay as they are."
      actions={id !== null && <HistoryLink kind="billing_settings" id={id} />}
    >
      <CurrencyCard />
      <Form key={key} method="post" {...form.props} className="grid max-w-[48rem] gap-6" preventScrollReset>
        <input type="hidden" name="intent" value="save" />
        <input type="hidden" name="seenNumber" value={values.nextNumber} />
        {inputs}
        {notice}
        <Card title="Your Business">
          <div className="grid gap-4 border-t border-line-soft p-5 sm:grid-cols-2">
            <TextField
              field={fields.legalName}
              hint="As invoices need it. By default the name in your profile."
              autoComplete="organization"
            />
            <TextField field={fields.taxId} hint="Such as a VAT number." autoComplete="off" />
            <TextAreaField field={fields.address} rows={3} maxLength={1000} fieldClass="sm:col-span-2" />
          </div>
        </Card>
        <Card title="Tax">
          <div className="grid gap-4 border-t border-line-soft p-5 sm:grid-cols-2">
            <TextField field={fields.taxName} hint="On invoices: Tax, VAT, GST." autoComplete="off" />
            <TextField
              field={fields.taxRate}
              hint="Of new lines, such as 19 or 8.875. 0: no tax."
              inputMode="decimal"
              autoComplete="off"
            />
            <SelectField
              field={fields.taxMode}
              hint="An amount under Create Invoice always includes its tax."
              fieldClass="sm:col-span-2"
            />
          </div>
        </Card>
        <Card title="Invoices">
          <div className="grid items-start gap-4 border-t border-line-soft p-5 sm:grid-cols-2">
            <TextField
              field={fields.invoicePrefix}
              hint="Before each number, such as INV- or 2026/."
              autoComplete="off"
            />
            <TextField
              field={fields.nextNumber}
              hint="It can only be raised: numbers never repeat and have no gaps."
              inputMode="numeric"
              autoComplete="off"
            />
            <TextField field={fields.paymentDays} hint="0: on the day of the invoice." inputMode="numeric" />
            <TextAreaField
              field={fields.defaultNotes}
              hint="Filled in for each new invoice."
              rows={3}
              maxLength={2000}
              fieldClass="sm:col-span-2"
            />
            <TextAreaField
              field={fields.invoiceFooter}
              hint="At the end of every invoice, such as your bank account."
              rows={3}
              maxLength={2000}
              fieldClass="sm:col-span-2"
            />
          </div>
        </Card>
        <div className="flex justify-end">
          <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
            Save Settings
          </Button>
        </div>
      </Form>
    </Page>
  )
}

const currencyFields = {
  currency: {
    kind: 'choice',
    label: 'Currency',
    choices: Object.fromEntries(currencies.map((code) => [code, code.toUpperCase()])),
    message: 'Choose a currency from the list',
  },
} as const satisfies Fields

/** The currency can be chosen until the first sale: afterwards the screen says why not. */
function CurrencyCard() {
  const { currency, currencyName: name, currencies: choices, isFixed } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm(currencyFields, {
    id: 'currency',
    intent: 'currency',
    values: { currency },
  })
  return (
    <Card title="Currency" className="mb-6 max-w-[48rem]">
      {isFixed ? (
        <p className="border-t border-line-soft p-5 text-ink-2">
          You sell in {name} ({currency.toUpperCase()}). Something was sold or invoiced already, so the currency is
          fixed: all amounts in your books are in it.
        </p>
      ) : (
        <Form
          method="post"
          {...form.props}
          className="grid items-end gap-4 border-t border-line-soft p-5 sm:grid-cols-[minmax(0,1fr)_auto]"
          preventScrollReset
        >
          <input type="hidden" name="intent" value="currency" />
          <div className="grid gap-4">
            <FormError id={form.errorId} errors={form.errors} />
            <SelectField
              field={fields.currency}
              choices={choices}
              hint="It is fixed once you sell or invoice something."
            />
          </div>
          <Button type="submit" busy={busy} busyLabel="Saving...">
            Choose Currency
          </Button>
        </Form>
      )}
    </Card>
  )
}
