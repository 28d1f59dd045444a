import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { clientFormActions } from '#modules/core/form-actions.server.ts'
import { SigningPage } from '../components/signing-page.tsx'
import { CloseForm, SignForm } from '../forms.ts'
import { findSigningContract } from '../queries/signing.ts'
import { contract } from '../records.ts'
import { declineContract, signAsClient, viewContract } from '../services/signing.ts'
import { toDevice } from '../signing/link.server.ts'
import { toSigningView } from '../signing/signing-view.ts'

export const handle = { scripts: false }

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => pageTitle(matches, data?.title ?? 'Contract')

/** Nothing loads a page of the portal but its reader: the first time counts as viewed. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = await context.client()
  const found = await findSigningContract(ctx, parseId(params.id))
  if (!found) throw contract.notFound()
  const view = toSigningView(ctx, found, { isLink: false, nonce: context.nonce })
  if (view.stage === 'open' && !view.wasViewed)
    await ctx.write((tx) => viewContract(tx, found.id, { device: toDevice(context) }))
  return view
}

const messages = {
  sign: { done: 'Contract signed', failed: 'Failed to sign the contract.' },
  decline: { done: 'Contract declined', failed: 'Failed to decline the contract.' },
}

export const action = clientFormActions(
  messages,
  {
    sign: {
      schema: SignForm,
      run: (ctx, { id, ...input }, { context }) => signAsClient(ctx, id, input, { device: toDevice(context) }),
      to: ({ form }) => toPath(parseId(form.get('id'))),
    },
    decline: {
      schema: CloseForm,
      run: (ctx, { id, reason }, { context }) => declineContract(ctx, id, { reason, device: toDevice(context) }),
      to: ({ form }) => toPath(parseId(form.get('id'))),
    },
  },
  { home: '/portal/contracts' },
)

const toPath = (id: number): string => `/portal/contracts/${id}`

export default function PortalContractPage() {
  const view = useLoaderData<typeof loader>()
  return <SigningPage contract={view} path={toPath(view.id)} />
}
