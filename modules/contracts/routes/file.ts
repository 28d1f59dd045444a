import type { LoaderFunctionArgs } from '@remix-run/node'
import { parseId } from '#app/lib/url.ts'
import { getContractFile } from '../documents/contract-file.ts'
import { downloadPdf } from '../documents/download.server.ts'
import { getContract } from '../queries/contracts.ts'

/** The PDF of a completed contract. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { id } = await getContract(ctx, parseId(params.id))
  return downloadPdf(await getContractFile(ctx, id))
}
