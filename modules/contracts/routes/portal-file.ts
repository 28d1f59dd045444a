import type { LoaderFunctionArgs } from '@remix-run/node'
import { parseId } from '#app/lib/url.ts'
import { getContractFile } from '../documents/contract-file.ts'
import { downloadPdf } from '../documents/download.server.ts'
import { findSigningContract } from '../queries/signing.ts'
import { contract } from '../records.ts'

/** The PDF of a completed contract of the client's. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = await context.client()
  const found = await findSigningContract(ctx, parseId(params.id))
  if (!found) throw contract.notFound()
  return downloadPdf(await getContractFile(ctx, found.id))
}
