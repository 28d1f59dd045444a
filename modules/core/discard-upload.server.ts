import type { AppError } from '#app/lib/errors.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { deleteUpload } from '#tenants/files/uploads.ts'
import { ById } from './form-actions.server.ts'

/** The action `discard-upload` of pages that list interrupted uploads. */
export const discardUpload = {
  schema: ById,
  run: (ctx: WriteCtx, { id }: { id: number }) => deleteUpload(ctx, id),
  onError: ({ code }: AppError) =>
    code === 'not_found' ? { message: 'This upload has ended already. Reload the page to see your files.' } : undefined,
}
