import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Ban, Copy, Download, Send, Signature, Trash2 } from 'lucide-react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink, HistoryLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { Details, Signatures, Trail } from '../components/contract-details.tsx'
import { ContractDialog } from '../components/contract-dialogs.tsx'
import { ContractBadge } from '../components/contract-rows.tsx'
import { ContractText } from '../components/contract-text.tsx'
import { DraftForm } from '../components/draft-form.tsx'
import { loadContract, type ContractPage as PageData } from '../contract-loader.server.ts'
import { CloseForm, EditContractForm, SendForm, SignForm } from '../forms.ts'
import { contractFileUrl, contractsUrl, contractUrl } from '../list-state.ts'
import { copyContract, deleteContract, restoreContract, updateContract } from '../services/contracts.ts'
import { resendContract, sendContract, voidContract } from '../services/sending.ts'
import { signAsCoach } from '../services/signing.ts'
import { toDevice } from '../signing/link.server.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => pageTitle(matches, data?.title ?? 'Contract')

export const loader = ({ params, request, context }: LoaderFunctionArgs) =>
  loadContract(context.coach(), parseId(params.id), request.url)

const messages = {
  edit: { done: 'Contract updated', failed: 'Failed to update the contract.' },
  send: { done: 'Contract sent', failed: 'Failed to send the contract.' },
  resend: { done: 'The email is on its way', failed: 'Failed to send the email.' },
  sign: { done: 'Contract signed', failed: 'Failed to sign the contract.' },
  void: { done: 'Contract voided', failed: 'Failed to void the contract.' },
  copy: { done: 'New version added', failed: 'Failed to add the version.' },
  delete: { done: 'Draft deleted', failed: 'Failed to delete the draft.' },
  restore: { done: 'Draft restored', failed: 'Failed to restore the draft.' },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    edit: {
      schema: EditContractForm,
      run: (ctx, { id, version, ...input }) => updateContract(ctx, id, input, version),
    },
    send: {
      schema: SendForm,
      run: (ctx, { id, sendEmail }, { context }) =>
        sendContract(ctx, id, { sendEmail: sendEmail === 'yes', device: toDevice(context) }),
    },
    resend: {
      schema: ById,
      run: (ctx, { id }, { context }) => resendContract(ctx, id, { device: toDevice(context) }),
      to: toPage,
    },
    sign: {
      schema: SignForm,
      run: (ctx, { id, ...input }, { context }) => signAsCoach(ctx, id, input, toDevice(context)),
    },
    void: {
      schema: CloseForm,
      run: (ctx, { id, reason }, { context }) => voidContract(ctx, id, { reason, device: toDevice(context) }),
    },
    copy: {
      schema: ById,
      run: async (ctx, { id }) => success({ to: contractUrl((await copyContract(ctx, id)).id).href() }),
    },
    delete: {
      schema: ById,
      run: async (ctx, { id }) => {
        await deleteContract(ctx, id)
        return success({ to: contractsUrl.href() })
      },
      undo: 'restore',
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreContract(ctx, id), to: toPage },
  },
  { dialog: ['dialog'] },
)

export const clientAction = formClientAction(messages)

export default function ContractPage() {
  const data = useLoaderData<typeof loader>()
  const { id, title, clientName, status, draft, view, text } = data
  const url = contractUrl(id)
  return (
    <Page
      title={title}
      description={clientName}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Contracts', to: '/contracts' },
        { label: 'Contract' },
      ]}
      actions={<Actions {...data} />}
    >
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        {draft ? (
          <Tabs
            label="Contract"
            tabs={[
              { label: 'Text', to: url.href(), current: view === null },
              { label: 'Preview', to: url.href({ view: 'preview' }), current: view === 'preview' },
            ]}
          />
        ) : (
          <span />
        )}
        <ContractBadge status={status} />
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-[1fr_21.5rem]">
        {draft && view === null ? (
          <DraftForm key={id} id={id} title={title} draft={draft} />
        ) : (
          <div>
            <ContractText text={text} label={draft ? 'Preview' : 'Contract'} />
            {data.hash && <p className="mt-2 text-sm text-ink-3 wrap-anywhere">SHA-256 of this text: {data.hash}</p>}
          </div>
        )}
        <div className="grid gap-6">
          <Details {...data} />
          <Signatures {...data} />
          <Trail {...data} />
        </div>
      </div>
      <ContractDialog {...data} />
    </Page>
  )
}

function Actions({ id, status, draft, canSign, isOpen, clientId }: PageData) {
  const url = contractUrl(id)
  if (draft)
    return (
      <>
        <HistoryLink kind="contract" id={id} />
        <ButtonLink variant="danger-ghost" icon={Trash2} to={url.href({ dialog: 'delete' })} preventScrollReset>
          Delete
        </ButtonLink>
        <PrimaryLink icon={Send} to={url.href({ dialog: 'send' })} preventScrollReset>
          Send
        </PrimaryLink>
      </>
    )
  return (
    <>
      <HistoryLink kind="contract" id={id} />
      {isOpen && (
        <ButtonLink variant="danger-ghost" icon={Ban} to={url.href({ dialog: 'void' })} preventScrollReset>
          Void
        </ButtonLink>
      )}
      {!isOpen && clientId !== null && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="copy" />
          <input type="hidden" name="id" value={id} />
          <Button type="submit" icon={Copy}>
            New Version
          </Button>
        </Form>
      )}
      {status === 'completed' && (
        <ButtonLink icon={Download} to={contractFileUrl(id)} reloadDocument>
          Download PDF
        </ButtonLink>
      )}
      {canSign && (
        <PrimaryLink icon={Signature} to={url.href({ dialog: 'sign' })} preventScrollReset>
          Sign
        </PrimaryLink>
      )}
    </>
  )
}
