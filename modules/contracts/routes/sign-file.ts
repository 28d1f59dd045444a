import type { LoaderFunctionArgs } from '@remix-run/node'
import { getContractFile } from '../documents/contract-file.ts'
import { downloadPdf } from '../documents/download.server.ts'
import { contract } from '../records.ts'
import { openContractLink } from '../signing/link.server.ts'
import { toSigningView } from '../signing/signing-view.ts'

/** The PDF of the completed contract of a link, until the link expires. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const link = await openContractLink(context, params.token ?? '')
  const view = link && toSigningView(link.ctx, link.contract, { isLink: true, nonce: '' })
  if (!link || view?.stage !== 'completed') throw contract.notFound()
  return downloadPdf(await getContractFile(link.ctx, link.contract.id))
}
