import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { NoInput, publicFormActions } from '#modules/core/form-actions.server.ts'
import { SigningPage } from '../components/signing-page.tsx'
import { CloseForm, SignForm } from '../forms.ts'
import { declineContract, signAsClient, viewContract } from '../services/signing.ts'
import { openContractLink, requireContractLink } from '../signing/link.server.ts'
import { toSigningView } from '../signing/signing-view.ts'

/** Plain HTML: a client's phone loads no scripts but that of the drawing. */
export const handle = { scripts: false }

export const meta: MetaFunction<typeof loader> = ({ matches, data: loaded }) => [
  ...pageTitle(matches, loaded?.contract?.title ?? 'Contract'),
  { name: 'robots', content: 'noindex' },
]

/** A GET changes nothing: programs that check emails open links, too. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const token = params.token ?? ''
  const link = await openContractLink(context, token)
  const contract = link && toSigningView(link.ctx, link.contract, { isLink: true, nonce: context.nonce })
  return data({ contract, path: `/contract/${token}` }, { status: contract ? 200 : 404 })
}

const messages = {
  open: { done: null, failed: 'Failed to open the contract.' },
  sign: { done: null, failed: 'Failed to sign the contract.' },
  decline: { done: null, failed: 'Failed to decline the contract.' },
}

export const action = publicFormActions(
  messages,
  {
    open: {
      schema: NoInput,
      run: async (context, _input, { params }) => {
        const { ctx, contract, visit } = await requireContractLink(context, params.token ?? '')
        await ctx.write((tx) => viewContract(tx, contract.id, visit))
      },
    },
    sign: {
      schema: SignForm,
      run: async (context, input, { params }) => {
        const { ctx, contract, visit } = await requireContractLink(context, params.token ?? '')
        await ctx.write((tx) => signAsClient(tx, contract.id, input, visit))
      },
    },
    decline: {
      schema: CloseForm,
      run: async (context, { reason }, { params }) => {
        const { ctx, contract, visit } = await requireContractLink(context, params.token ?? '')
        await ctx.write((tx) => declineContract(tx, contract.id, { reason, ...visit }))
      },
    },
  },
  {},
)

export default function SignPage() {
  const { contract, path } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto max-w-[44rem] px-gutter pt-8 sm:pt-14">
      {contract ? <SigningPage contract={contract} path={path} /> : <Ended />}
    </div>
  )
}

const Ended = () => (
  <>
    <h1 className="font-serif text-4xl text-balance">This link doesn’t work any more</h1>
    <p className="mt-3 text-ink-2">
      The contract was withdrawn, there is a newer link, or this one is incomplete. Open it from the latest email, or
      ask the person who sent it.
    </p>
  </>
)
