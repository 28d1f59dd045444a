import { Form } from '@remix-run/react'
import { Trash2 } from 'lucide-react'
import { Button } from '#app/ui/components/button.tsx'
import { Dialog, DialogBody } from '#app/ui/components/dialog.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { folderFields } from '../fields.ts'

type FolderOption = { id: number; name: string; version: number; count: number }

/** Adds, renames and deletes folders. */
export function FoldersDialog({ folders, closeTo }: { folders: FolderOption[]; closeTo: string }) {
  const { form, fields, busy } = useServerForm(folderFields, { id: 'folder', intent: 'add-folder' })
  return (
    <Dialog title="Folders" closeTo={closeTo}>
      <DialogBody>
        <ul className="rows mb-5 border-y border-line-soft" aria-label="Folders">
          {folders.map((folder) => (
            <FolderRow key={`${folder.id} ${folder.version}`} folder={folder} />
          ))}
        </ul>
        <Form key={folders.length} method="post" {...form.props} className="grid gap-3" preventScrollReset>
          <input type="hidden" name="intent" value="add-folder" />
          <FormError id={form.errorId} errors={form.errors} />
          <TextField field={fields.name} label="New folder" autoComplete="off" />
          <Button type="submit" variant="primary" busy={busy} className="justify-self-start">
            Add Folder
          </Button>
        </Form>
      </DialogBody>
    </Dialog>
  )
}

function FolderRow({ folder: { id, name, version, count } }: { folder: FolderOption }) {
  return (
    <li className="flex flex-wrap items-center gap-2 py-2.5">
      <Form method="post" noValidate className="flex min-w-0 flex-1 gap-2" preventScrollReset>
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="version" value={version} />
        <input
          name="name"
          defaultValue={name}
          className="input min-w-0 flex-1"
          aria-label={`Name of ${name}`}
          maxLength={100}
        />
        <Button type="submit" name="intent" value="rename-folder" aria-label={`Rename ${name}`}>
          Rename
        </Button>
      </Form>
      <span className="num text-sm text-ink-3">{count === 1 ? '1 resource' : `${count} resources`}</span>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="id" value={id} />
        <Button
          type="submit"
          name="intent"
          value="delete-folder"
          variant="ghost"
          icon={Trash2}
          className="btn-icon"
          aria-label={`Delete ${name}`}
        />
      </Form>
    </li>
  )
}
