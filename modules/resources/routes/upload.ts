import { Readable } from 'node:stream'
import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node'
import { replaceWith } from '#app/lib/form-submission.ts'
import { parseId } from '#app/lib/url.ts'
import { errorMessage } from '#modules/core/form-actions.server.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { discardContent } from '#tenants/files/files.ts'
import { receiveForm } from '#tenants/files/form-upload.ts'
import { parseFileForm } from '../file-form.ts'
import { resourcesUrl } from '../list-state.ts'
import { createFromContent, replaceFile } from '../services/files.ts'

/** The form is on the page of resources. */
export function loader({ context }: LoaderFunctionArgs) {
  context.coach()
  return redirect(resourcesUrl.href({ dialog: 'upload' }))
}

/** The form without scripts: the whole file at once. */
export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = context.coach()
  const body = request.body
    ? Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
    : Readable.from([])
  const { headers } = request
  try {
    const { fields, name, content } = await receiveForm(ctx, {
      type: headers.get('content-type') ?? '',
      length: Number(headers.get('content-length')) || null,
      stream: body.on('error', () => {}),
    })
    const replaced = parseId(new URL(request.url).searchParams.get('replaces'))
    const file = { name, content }
    const keep = (tx: WriteCtx) =>
      replaced ? replaceFile(tx, replaced, file) : createFromContent(tx, file, parseFileForm(fields))
    await ctx.write(keep).catch(async (error: unknown) => {
      await discardContent(ctx, content)
      throw error
    })
    return replaceWith(resourcesUrl.href(), [context.cookies.toast({ tone: 'success', title: 'Resource uploaded' })])
  } catch (error) {
    return replaceWith(resourcesUrl.href({ dialog: 'upload' }), [
      context.cookies.toast({ tone: 'error', title: 'Failed to upload the resource.', text: errorMessage(error) }),
    ])
  }
}
