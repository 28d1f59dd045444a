import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Download, ExternalLink, History, Trash2, Upload } from 'lucide-react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink, HistoryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Dialog, DialogBody } from '#app/ui/components/dialog.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { FileUpload } from '../components/file-upload.tsx'
import { PreviewCard } from '../components/preview-card.tsx'
import { SharingCard } from '../components/sharing-card.tsx'
import { toOptions } from '../components/upload-dialog.tsx'
import { resourceFields, resourceTypes } from '../fields.ts'
import { EditForm, ShareForm, VersionForm } from '../forms.ts'
import { resourcesUrl, resourceUrl } from '../list-state.ts'
import { loadResource } from '../resource-loader.server.ts'
import { addVersion, deleteResource, restoreResource, updateFile } from '../services/files.ts'
import { createShare, resendShare, revokeShare } from '../services/shares.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data?.file.name ?? 'Resource')

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = parseId(params.id)
  return { ...(await loadResource(context.coach(), id)), ...resourceUrl(id).parse(request.url) }
}

const messages = {
  edit: { done: 'Resource updated', failed: 'Failed to update the resource.' },
  version: { done: 'New version uploaded', failed: 'Failed to upload the new version.' },
  share: { done: 'Resource shared', failed: 'Failed to share the resource.' },
  resend: { done: 'The email is on its way', failed: 'Failed to send the email.' },
  revoke: { done: 'The link no longer works', failed: 'Failed to end the share.' },
  delete: { done: 'Resource deleted', failed: 'Failed to delete the resource.' },
  restore: { done: 'Resource restored', failed: 'Failed to restore the resource.' },
}

export const action = formActions(
  messages,
  {
    edit: { schema: EditForm, run: (ctx, { id, version, ...input }) => updateFile(ctx, id, input, version) },
    version: { schema: VersionForm, run: (ctx, { id, uploadId }) => addVersion(ctx, id, uploadId) },
    share: {
      schema: ShareForm,
      run: async (ctx, { id, clientIds, sendEmail, password, tag, ...input }) => {
        const more = { ...(password ? { password } : {}), ...(tag ? { tag } : {}) }
        const share = { ...input, ...more, sendEmail: sendEmail === 'yes' }
        if (input.audience !== 'client') return void (await createShare(ctx, id, share))
        if (!clientIds.length) await createShare(ctx, id, share)
        for (const clientId of clientIds) await createShare(ctx, id, { ...share, clientId })
      },
      onError: ({ issues }) => (issues?.[0]?.path === 'clientId' ? { field: 'clientIds' } : undefined),
    },
    resend: { schema: ById, run: (ctx, { id }) => resendShare(ctx, id), to: ({ page }) => page },
    revoke: { schema: ById, run: (ctx, { id }) => revokeShare(ctx, id), to: ({ page }) => page },
    delete: {
      schema: ById,
      run: async (ctx, { id }) => {
        await deleteResource(ctx, id)
        return success({ to: resourcesUrl.href() })
      },
      undo: 'restore',
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreResource(ctx, id), to: ({ page }) => page },
  },
  { dialog: ['dialog'] },
)

export const clientAction = formClientAction(messages)

type PageData = ReturnType<typeof useLoaderData<typeof loader>>

export default function ResourcePage() {
  const data = useLoaderData<typeof loader>()
  const { file } = data
  const url = resourceUrl(file.id)
  return (
    <Page
      title={file.name}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Resources', to: '/resources' },
        { label: 'Details' },
      ]}
      description={[resourceTypes[file.type], file.url ? null : file.size, file.fileType, file.uploadedAt]
        .filter(Boolean)
        .join(', ')}
      actions={
        <>
          <ButtonLink variant="danger-ghost" icon={Trash2} to={url.href({ dialog: 'delete' })} preventScrollReset>
            Delete
          </ButtonLink>
          {file.url === null ? (
            <>
              <SecondaryLink icon={Upload} to={url.href({ dialog: 'version' })} preventScrollReset>
                New Version
              </SecondaryLink>
              <ButtonLink variant="primary" icon={Download} to={`/api/files/${file.id}/download`} reloadDocument>
                Download
              </ButtonLink>
            </>
          ) : (
            <a className="btn btn-primary" href={file.url} target="_blank" rel="noopener noreferrer">
              <ExternalLink className="i" />
              Open
            </a>
          )}
        </>
      }
    >
      <div className="grid items-start gap-6 xl:grid-cols-[1fr_21.5rem]">
        <div className="grid gap-6">
          {data.preview && <PreviewCard name={file.name} preview={data.preview} />}
          <SharingCard key={data.shares[0]?.id ?? 0} {...data} />
          <Opens {...data} />
        </div>
        <div className="grid gap-6">
          <Details {...data} />
          {data.versions.length > 1 && <Versions {...data} />}
        </div>
      </div>
      <OpenDialog {...data} />
    </Page>
  )
}

const fields = {
  ...resourceFields,
  tags: { kind: 'line', label: 'Tags', optional: true },
  fileUrl: { kind: 'line', label: 'Address', optional: true, max: 2048 },
} as const

function Details({ file, values, clients, folders }: PageData) {
  const state = useServerForm(fields, { id: 'details', intent: 'edit', values })
  const conflict = useEditConflict(state, { noun: 'resource', current: { version: file.version, values } })
  const { form, busy } = state
  const inputs = conflict.fields
  return (
    <Card title="Details" aside={<HistoryLink kind="resource" id={file.id} />}>
      <Form
        key={`${conflict.key} ${file.version}`}
        method="post"
        {...form.props}
        className="grid gap-4 border-t border-line-soft p-5"
        preventScrollReset
      >
        <input type="hidden" name="intent" value="edit" />
        <input type="hidden" name="id" value={file.id} />
        {conflict.inputs}
        {conflict.notice}
        <TextField field={inputs.name} autoComplete="off" />
        {file.url !== null && <TextField field={inputs.fileUrl} type="url" inputMode="url" autoComplete="off" />}
        <SelectField
          field={inputs.clientId}
          choices={toOptions('General', clients)}
          hint="Links of the former client end when it is for another one."
        />
        <SelectField field={inputs.folderId} choices={toOptions('No folder', folders)} />
        <TextField field={inputs.tags} hint="Separated by commas" autoComplete="off" />
        <Button type="submit" busy={busy} busyLabel="Saving..." className="justify-self-start">
          Save
        </Button>
      </Form>
    </Card>
  )
}

function Versions({ file, versions }: PageData) {
  return (
    <Card title="Versions">
      <ul className="rows border-t border-line-soft" aria-label="Versions">
        {versions.map(({ number, fileName, size, at }) => (
          <li key={number} className="flex items-center gap-3 px-5 py-3">
            <History className="i text-ink-3" />
            <span className="min-w-0 flex-1">
              <span className="block truncate">{fileName}</span>
              <span className="block text-sm text-ink-3">{`${number}, ${size}, ${at}`}</span>
            </span>
            <a
              href={`/api/files/${file.id}/download?version=${number}`}
              className="btn btn-ghost btn-sm btn-icon"
              aria-label={`Download version ${number}`}
            >
              <Download className="i" />
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Opens({ opens }: PageData) {
  return (
    <Card title="Opened by">
      {opens.length ? (
        <ul className="rows border-t border-line-soft" aria-label="Opened by">
          {opens.map(({ id, who, device, at }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 py-3">
              <span className="font-medium">{who}</span>
              <span className="text-sm text-ink-3">{`${device}, ${at}`}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="border-t border-line-soft px-5 py-5 text-ink-2">Nobody has opened it yet.</p>
      )}
    </Card>
  )
}

const versionFields = { uploadId: { kind: 'line', label: 'File' } } as const

function OpenDialog({ file, dialog }: PageData) {
  const closeTo = resourceUrl(file.id).href()
  const { form } = useServerForm(versionFields, { id: 'version', intent: 'version' })
  if (dialog === 'delete')
    return (
      <ConfirmDialog
        title="Delete Resource"
        confirm="Delete Resource"
        busyLabel="Deleting..."
        closeTo={closeTo}
        fields={{ intent: 'delete', id: String(file.id) }}
      >
        “{file.name}” stays in the trash for 30 days. Its links stop at once.
      </ConfirmDialog>
    )
  if (dialog !== 'version' || file.url !== null) return null
  return (
    <Dialog title="New Version" closeTo={closeTo}>
      <DialogBody>
        <p className="mb-4 text-ink-2">Links lead to the new version. The former ones stay here.</p>
        <FileUpload
          action={`/resources/upload?replaces=${file.id}`}
          fields={{ intent: 'version', id: String(file.id) }}
          submitLabel="Upload New Version"
          errors={form.errors}
        />
      </DialogBody>
    </Dialog>
  )
}
