import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Plus } from 'lucide-react'
import type { Fields } from '#app/lib/fields.ts'
import { countPages } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody, DialogSubmit } from '#app/ui/components/dialog.tsx'
import { ChairsIllustration, EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { searchClients, toGroups } from '#app/ui/forms/client-choices.ts'
import { FormError, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { PersonCombobox } from '#app/ui/forms/person-combobox.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { ContractRows } from '../components/contract-rows.tsx'
import { loadContracts, type ContractsPage as PageData } from '../contracts-loader.server.ts'
import { contractStatuses } from '../fields.ts'
import { NewContract, NewContractForm, RequireForm } from '../forms.ts'
import { contractsUrl, contractUrl, pageSize } from '../list-state.ts'
import { createContract } from '../services/contracts.ts'
import { removeRequirement, requireContract } from '../services/requirements.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Contracts')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const data = await loadContracts(context.coach(), request.url)
  const lastPage = countPages(data.count, pageSize)
  if (data.state.page > lastPage) throw redirect(contractsUrl.href(data.state, { page: lastPage }))
  return data
}

const messages = {
  add: { done: 'Contract added', failed: 'Failed to add the contract.' },
  require: { done: 'Contract added', failed: 'Failed to add the contract.' },
  'remove-requirement': { done: 'Contract removed', failed: 'Failed to remove the contract.' },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    add: {
      schema: NewContractForm,
      run: async (ctx, { clientId, contractTemplateId, title }) => {
        const base = contractTemplateId ? { contractTemplateId } : { body: blankText }
        const { id } = await createContract(ctx, NewContract.parse({ clientId, ...base, ...(title ? { title } : {}) }))
        return success({ to: contractUrl(id).href() })
      },
    },
    require: { schema: RequireForm, run: requireContract, to: toPage, isButton: true },
    'remove-requirement': { schema: ById, run: (ctx, { id }) => removeRequirement(ctx, id), to: toPage },
  },
  { home: contractsUrl.href(), dialog: ['dialog', 'client'] },
)

const blankText = 'This contract is between {{practice name}} and {{client name}}, of {{date}}.'

export const clientAction = formClientAction(messages)

export default function ContractsPage() {
  const data = useLoaderData<typeof loader>()
  const { state, contracts, count } = data
  return (
    <Page
      title="Contracts"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Contracts' }]}
      description="Written once, sent with a link, signed electronically by both sides."
      actions={
        <>
          <ButtonLink to="/contracts/templates">Templates</ButtonLink>
          <PrimaryLink icon={Plus} to={contractsUrl.href(state, { dialog: 'add' })} preventScrollReset>
            Add Contract
          </PrimaryLink>
        </>
      }
    >
      {(count > 0 || state.status) && (
        <FilterForm action="/contracts" values={{ status: state.status ?? '' }} className="mb-4">
          <select
            name="status"
            aria-label="Status"
            defaultValue={state.status ?? ''}
            className="input select sm:max-w-56"
          >
            <option value="">All contracts</option>
            {Object.entries(contractStatuses).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </FilterForm>
      )}
      <div className="card overflow-hidden">
        {contracts.length ? <ContractRows label="Contracts" contracts={contracts} /> : <NoContracts {...state} />}
      </div>
      {contracts.length > 0 && (
        <PageSummary
          page={state.page}
          size={pageSize}
          rows={contracts.length}
          count={count}
          to={(page) => contractsUrl.href(state, { page })}
        />
      )}
      {data.options && <AddDialog {...data} options={data.options} />}
    </Page>
  )
}

function NoContracts({ status }: PageData['state']) {
  return status ? (
    <EmptyState title="No contracts found" action={<ButtonLink to={contractsUrl.href()}>Clear filter</ButtonLink>}>
      No contract has this status.
    </EmptyState>
  ) : (
    <EmptyState
      title="No contracts yet"
      illustration={<ChairsIllustration />}
      action={<ButtonLink to={contractsUrl.href({ dialog: 'add' })}>Add Contract</ButtonLink>}
    >
      Write a template first, or begin with an empty contract.
    </EmptyState>
  )
}

const addFields = {
  clientId: { kind: 'line', label: 'Client', required: 'Choose a client' },
  contractTemplateId: { kind: 'line', label: 'Begin with' },
  title: { kind: 'line', label: 'Title' },
} as const satisfies Fields

function AddDialog({
  options: { templates, clients, hasMore },
  clientId,
  state,
}: PageData & { options: NonNullable<PageData['options']> }) {
  const { form, fields, busy } = useServerForm(addFields, {
    id: 'add',
    intent: 'add',
    values: { clientId: String(clientId ?? ''), contractTemplateId: String(templates[0]?.id ?? '') },
  })
  return (
    <Dialog title="Add Contract" closeTo={contractsUrl.href(state)}>
      <DialogBody>
        <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
          <input type="hidden" name="intent" value="add" />
          <FormError id={form.errorId} errors={form.errors} />
          <PersonCombobox
            field={fields.clientId}
            placeholder="Choose a client"
            groups={toGroups(clients)}
            search={hasMore ? searchClients : undefined}
          />
          <SelectField
            field={fields.contractTemplateId}
            choices={[
              ...templates.map(({ id, name }) => ({ value: String(id), label: name })),
              { value: '', label: 'An empty contract' },
            ]}
            hint="You can change the text until you send it."
          />
          <TextField field={fields.title} autoComplete="off" hint="Empty: the name of the template" />
          <DialogSubmit busy={busy}>Add Contract</DialogSubmit>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage
      title="Contracts"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Contracts' }]}
      heading="Failed to fetch contracts"
    >
      Your contracts are safe. Try again in a moment.
    </LoadErrorPage>
  )
}
