import { useState } from 'react'
import { FileDropzone } from '#app/ui/forms/file-dropzone.tsx'
import { LogoTile } from '#app/shell/branding-fields.tsx'
import { Button } from '#app/ui/components/button.tsx'

const maxBytes = 5 * 1024 * 1024
const types = ['image/png', 'image/jpeg', 'image/svg+xml']

/** Chooses a logo that never leaves the browser. Messages: part-2 §5. */
export function DemoLogo({
  name,
  color,
  logoUrl,
  onChange,
}: {
  name: string
  color: string
  logoUrl: string | null
  onChange: (logoUrl: string | null) => void
}) {
  const [error, setError] = useState<string | null>(null)
  // A new key clears the name of a rejected file.
  const [count, setCount] = useState(0)

  function reject(message: string) {
    setError(message)
    setCount(count + 1)
  }

  function select(file: File) {
    if (!types.includes(file.type)) return reject('Invalid File Type: Please upload an image file (PNG, JPG, or SVG).')
    if (file.size > maxBytes) return reject('File Too Large: Please upload an image smaller than 5MB.')
    setError(null)
    const reader = new FileReader()
    reader.onload = () => onChange(String(reader.result))
    reader.readAsDataURL(file)
  }

  function remove() {
    setError(null)
    setCount(count + 1)
    onChange(null)
  }

  return (
    <div className="flex items-start gap-4">
      <div className="grid justify-items-center gap-1 pt-1">
        <LogoTile name={name} logoUrl={logoUrl} color={color} />
        {logoUrl && (
          <Button size="sm" variant="ghost" aria-label="Remove logo" className="!px-1.5" onClick={remove}>
            Remove
          </Button>
        )}
      </div>
      <div className="grid min-w-0 flex-1 gap-2">
        <span className="label">Logo</span>
        <FileDropzone
          key={count}
          field={{ id: 'logo', name: 'logo', errors: error ? [error] : undefined }}
          label="Logo"
          hint="PNG, JPG or SVG, up to 5 MB. It stays in your browser."
          accept={types.join(',')}
          onSelect={select}
        />
      </div>
    </div>
  )
}
