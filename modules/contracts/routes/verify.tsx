import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatDateTime } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { parties, type ContractStatus } from '../fields.ts'
import { findVerifiedContract } from '../queries/signing.ts'
import { listSignatures } from '../queries/trail.ts'

/** Plain HTML: it is opened from paper, once. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Verify a contract'),
  { name: 'robots', content: 'noindex' },
]

/** The state of a contract by the code in its PDF, without its contents. Unknown codes are counted. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = await context.visitor(['contracts:verification:read'])
  const code = (params.code ?? '').slice(0, 40).toUpperCase()
  const found = await findVerifiedContract(ctx, code)
  if (!found) {
    const { platform, address } = context.requestContext
    await countAttempt(platform, { rules: tokenRules(address), address })
    return data({ contract: null }, { status: 404 })
  }
  const signatures = await listSignatures(ctx, found.id)
  const format = (at: string) => `${formatDateTime(at, ctx.account)} (${ctx.account.timezone})`
  const { status, practiceName, textSha256, fileSha256, sentAt, closedAt } = found
  return data({
    contract: {
      state: states[status],
      isSigned: status === 'completed',
      facts: [
        ['Practice', practiceName],
        ...signatures.map(({ party, name, signedAt }) => [
          `Signature of the ${parties[party].toLowerCase()}`,
          `${name}, ${format(signedAt)}`,
        ]),
        ['Sent', format(sentAt)],
        ...(closedAt ? [['Ended', format(closedAt)]] : []),
        ['SHA-256 of the text', textSha256],
        ...(fileSha256 ? [['SHA-256 of the PDF', fileSha256]] : []),
      ] as [string, string][],
    },
  })
}

const states: Record<ContractStatus, string> = {
  draft: 'This contract was not sent.',
  sent: 'This contract is not signed yet.',
  viewed: 'This contract is not signed yet.',
  signed_by_client: 'The client has signed this contract, the coach has not.',
  signed_by_coach: 'The coach has signed this contract, the client has not.',
  completed: 'This contract is signed by both sides.',
  declined: 'This contract was declined.',
  expired: 'This contract has expired without both signatures.',
  voided: 'This contract was withdrawn.',
}

export default function VerifyPage() {
  const { contract } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto max-w-[44rem] px-gutter pt-8 sm:pt-14">
      {contract ? (
        <>
          <h1 className="font-serif text-4xl text-balance">{contract.state}</h1>
          <dl className="mt-8 grid gap-4 rounded-2xl border border-line p-6">
            {contract.facts.map(([label, value]) => (
              <div key={label}>
                <dt className="text-sm text-ink-3">{label}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-6 text-ink-2">
            Compare the SHA-256 with that of your file, for example with <code>sha256sum</code>. The signatures are
            electronic signatures, which are not qualified ones.
          </p>
        </>
      ) : (
        <>
          <h1 className="font-serif text-4xl text-balance">There is no contract with this code</h1>
          <p className="mt-3 text-ink-2">
            Check the code on the last page of the PDF, and the address that is printed there.
          </p>
        </>
      )}
    </div>
  )
}
