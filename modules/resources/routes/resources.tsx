import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Download, FolderOpen, Link2, Upload, X } from 'lucide-react'
import { countPages } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { DiscardUploadDialog } from '#app/ui/forms/started-uploads.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { findStartedUpload } from '#tenants/files/uploads.ts'
import { discardUpload } from '#modules/core/discard-upload.server.ts'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { FoldersDialog } from '../components/folders-dialog.tsx'
import { FolderIllustration } from '../components/illustration.tsx'
import { LinkDialog } from '../components/link-dialog.tsx'
import { ResourceTable } from '../components/resource-table.tsx'
import { UploadDialog } from '../components/upload-dialog.tsx'
import { resourceTypes } from '../fields.ts'
import { BulkForm, FolderForm, LinkForm, RenameFolderForm, UploadedForm } from '../forms.ts'
import { pageSize, resourcesExportUrl, resourcesUrl, type ResourceFilters } from '../list-state.ts'
import { getFileForEdit } from '../queries/files.ts'
import { loadResourcesPage, loadUploadDialog } from '../resources-loader.server.ts'
import {
  createFromUpload,
  createLink,
  deleteResource,
  deleteResources,
  moveResources,
  restoreResource,
  tagResources,
} from '../services/files.ts'
import { createFolder, deleteFolder, restoreFolder, updateFolder } from '../services/folders.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Resources')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { dialog, resource: id, upload, ...state } = resourcesUrl.parse(request.url)
  const [list, options, selected, discarded] = await Promise.all([
    loadResourcesPage(ctx, state),
    dialog === 'upload' || dialog === 'link' ? loadUploadDialog(ctx) : null,
    dialog === 'delete' && id ? getFileForEdit(ctx, id) : null,
    dialog === 'discard' && upload ? findStartedUpload(ctx, upload) : null,
  ])
  const lastPage = countPages(list.count, pageSize)
  if (state.page > lastPage) throw redirect(resourcesUrl.href(state, { page: lastPage }))
  return { state, dialog, options, selected: selected && { id: selected.id, name: selected.name }, discarded, ...list }
}

const messages = {
  upload: { done: 'Resource uploaded', failed: 'Failed to upload the resource.' },
  'discard-upload': { done: 'Upload discarded', failed: 'Failed to discard the upload. Please try again.' },
  'add-link': { done: 'Link added', failed: 'Failed to add the link.' },
  delete: { done: 'Resource deleted', failed: 'Failed to delete the resource.' },
  restore: { done: 'Resource restored', failed: 'Failed to restore the resource.' },
  'add-folder': { done: 'Folder added', failed: 'Failed to add the folder.' },
  'rename-folder': { done: 'Folder renamed', failed: 'Failed to rename the folder.' },
  'delete-folder': { done: 'Folder deleted', failed: 'Failed to delete the folder.' },
  'restore-folder': { done: 'Folder restored', failed: 'Failed to restore the folder.' },
  'bulk-move': { done: 'Resources moved', failed: 'Failed to move the resources.' },
  'bulk-tag': { done: 'Tag added', failed: 'Failed to add the tag.' },
  'bulk-delete': { done: 'Resources deleted', failed: 'Failed to delete the resources.' },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    upload: {
      schema: UploadedForm,
      run: (ctx, { uploadId, ...details }) => createFromUpload(ctx, uploadId, details),
    },
    'discard-upload': discardUpload,
    'add-link': { schema: LinkForm, run: createLink },
    delete: { schema: ById, run: (ctx, { id }) => deleteResource(ctx, id), undo: 'restore' },
    restore: { schema: ById, run: (ctx, { id }) => restoreResource(ctx, id), to: toPage },
    'add-folder': { schema: FolderForm, run: createFolder, to: toPage },
    'rename-folder': {
      schema: RenameFolderForm,
      run: (ctx, { id, version, ...input }) => updateFolder(ctx, id, input, version),
      to: toPage,
      isButton: true,
    },
    'delete-folder': { schema: ById, run: (ctx, { id }) => deleteFolder(ctx, id), undo: 'restore-folder', to: toPage },
    'restore-folder': { schema: ById, run: (ctx, { id }) => restoreFolder(ctx, id), to: toPage },
    'bulk-move': {
      schema: BulkForm,
      run: (ctx, { ids, folderId = null }) => moveResources(ctx, ids, folderId),
      isButton: true,
    },
    'bulk-tag': { schema: BulkForm, run: (ctx, { ids, tag = '' }) => tagResources(ctx, ids, tag), isButton: true },
    'bulk-delete': {
      schema: BulkForm,
      run: async (ctx, { ids }) => {
        await deleteResources(ctx, ids)
        return success({ toast: { link: { label: 'Open the trash', to: '/trash' } } })
      },
      isButton: true,
    },
  },
  { home: resourcesUrl.href(), dialog: ['dialog', 'resource', 'upload'] },
)

export const clientAction = formClientAction(messages)

export default function ResourcesPage() {
  const data = useLoaderData<typeof loader>()
  const { state, rows, count, counts, client } = data
  const isFiltered = Boolean(state.q || state.type || state.folder || state.client || state.tag)
  return (
    <Page
      title="Resources"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Resources' }]}
      description={client && `Resources of ${client.name}`}
      actions={
        <>
          <SecondaryLink icon={FolderOpen} to={resourcesUrl.href(state, { dialog: 'folders' })} preventScrollReset>
            Folders
          </SecondaryLink>
          <ButtonLink icon={Download} to={resourcesExportUrl.href(state)} reloadDocument>
            Export
          </ButtonLink>
          <SecondaryLink icon={Link2} to={resourcesUrl.href(state, { dialog: 'link' })} preventScrollReset>
            Add Link
          </SecondaryLink>
          <PrimaryLink icon={Upload} to={resourcesUrl.href(state, { dialog: 'upload' })} preventScrollReset>
            Upload Resource
          </PrimaryLink>
        </>
      }
    >
      <Stats
        className="mb-8"
        stats={[
          {
            label: 'Documents',
            value: counts.documents.toLocaleString('en-US'),
            to: resourcesUrl.href({ type: 'document' }),
          },
          { label: 'Videos', value: counts.videos.toLocaleString('en-US'), to: resourcesUrl.href({ type: 'video' }) },
          { label: 'Links', value: counts.links.toLocaleString('en-US'), to: resourcesUrl.href({ type: 'link' }) },
          { label: 'Total Resources', value: counts.total.toLocaleString('en-US'), to: resourcesUrl.href() },
        ]}
      />
      <Filters {...data} />
      {rows.length ? (
        <Form method="post" preventScrollReset>
          <BulkBar {...data} />
          <ResourceTable state={state} rows={rows} />
          <PageSummary
            page={state.page}
            size={pageSize}
            rows={rows.length}
            count={count}
            to={(page) => resourcesUrl.href(state, { page })}
          />
        </Form>
      ) : (
        <NoResources isFiltered={isFiltered} />
      )}
      <OpenDialog {...data} />
    </Page>
  )
}

type PageData = ReturnType<typeof useLoaderData<typeof loader>>

function Filters({ state, folders, tags, client }: PageData) {
  const { q, type, folder, tag } = state
  const values = { q, type: type ?? '', folder: folder ? String(folder) : '', tag }
  return (
    <FilterForm
      action="/resources"
      values={{ ...values, client: state.client ? String(state.client) : '' }}
      className="mb-4 flex flex-wrap items-center gap-3"
    >
      {state.client && <input type="hidden" name="client" value={state.client} />}
      <SearchField
        label="Search by name or type"
        placeholder="Search by name or type"
        value={q}
        className="basis-full sm:max-w-80 sm:flex-1 sm:basis-64"
      />
      <Filter label="Type" name="type" value={values.type} all="All types" options={Object.entries(resourceTypes)} />
      {folders.length > 0 && (
        <Filter
          label="Folder"
          name="folder"
          value={values.folder}
          all="All folders"
          options={folders.map(({ id, name }) => [String(id), name])}
        />
      )}
      {tags.length > 0 && (
        <Filter label="Tag" name="tag" value={tag} all="All tags" options={tags.map((each) => [each, each])} />
      )}
      {client && (
        <Link className="btn btn-ghost" to={resourcesUrl.href(state, { client: null, page: 1 })}>
          <X className="i" />
          <span className="min-w-0 truncate">All clients</span>
        </Link>
      )}
      <noscript>
        <button type="submit" className="btn btn-secondary">
          Show
        </button>
      </noscript>
    </FilterForm>
  )
}

function Filter(props: {
  label: string
  name: keyof ResourceFilters
  value: string
  all: string
  options: string[][]
}) {
  const { label, name, value, all, options } = props
  return (
    <div className="min-w-0 flex-1 sm:max-w-44">
      <select aria-label={label} name={name} defaultValue={value} className="input select input-quiet">
        <option value="">{all}</option>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** The actions on the chosen rows. */
function BulkBar({ folders }: PageData) {
  return (
    <div role="group" aria-label="Chosen resources" className="mb-3 flex flex-wrap items-center gap-2">
      {folders.length > 0 && (
        <span className="flex min-w-0 gap-2">
          <select name="folderId" aria-label="Move to" className="input select input-quiet w-40" defaultValue="">
            <option value="">No folder</option>
            {folders.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <Button type="submit" name="intent" value="bulk-move">
            Move
          </Button>
        </span>
      )}
      <span className="flex min-w-0 gap-2">
        <input name="tag" aria-label="Tag to add" placeholder="Tag" maxLength={40} className="input input-quiet w-32" />
        <Button type="submit" name="intent" value="bulk-tag">
          Add Tag
        </Button>
      </span>
      <Button type="submit" name="intent" value="bulk-delete" variant="danger-ghost">
        Delete Chosen
      </Button>
    </div>
  )
}

function NoResources({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="card">
      {isFiltered ? (
        <EmptyState title="No resources found" action={<ButtonLink to={resourcesUrl.href()}>Clear filters</ButtonLink>}>
          No resources match these filters.
        </EmptyState>
      ) : (
        <EmptyState
          title="No resources yet"
          illustration={<FolderIllustration />}
          action={
            <ButtonLink variant="primary" icon={Upload} to={resourcesUrl.href({ dialog: 'upload' })} preventScrollReset>
              Upload Resource
            </ButtonLink>
          }
        >
          Upload a worksheet or a recording, and share it with the clients it is for.
        </EmptyState>
      )}
    </div>
  )
}

function OpenDialog({ state, dialog, options, folders, selected, discarded }: PageData) {
  const closeTo = resourcesUrl.href(state)
  const values = { clientId: String(state.client ?? ''), folderId: String(state.folder ?? '') }
  if (dialog === 'upload' && options)
    return (
      <UploadDialog
        {...options}
        folders={folders}
        values={values}
        toDiscard={(upload) => resourcesUrl.href(state, { dialog: 'discard', upload })}
        closeTo={closeTo}
      />
    )
  if (dialog === 'discard') return <DiscardUploadDialog upload={discarded} closeTo={closeTo} />
  if (dialog === 'link' && options)
    return <LinkDialog {...options} folders={folders} values={values} closeTo={closeTo} />
  if (dialog === 'folders') return <FoldersDialog folders={folders} closeTo={closeTo} />
  if (dialog !== 'delete') return null
  if (!selected) return <NotFoundDialog label="Resource" kind="resource" closeTo={closeTo} />
  return (
    <ConfirmDialog
      title="Delete Resource"
      confirm="Delete Resource"
      busyLabel="Deleting..."
      closeTo={closeTo}
      fields={{ intent: 'delete', id: String(selected.id) }}
    >
      “{selected.name}” stays in the trash for 30 days. Its links stop at once.
    </ConfirmDialog>
  )
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage
      title="Resources"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Resources' }]}
      heading="Failed to fetch resources"
    >
      Your resources are safe. Try again in a moment.
    </LoadErrorPage>
  )
}
