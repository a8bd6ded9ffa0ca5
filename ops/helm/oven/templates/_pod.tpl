{{- define "oven.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "oven.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 1000
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "oven.environment" -}}
envFrom:
  - secretRef:
      name: {{ required "existingSecret: name of a secret with DATABASE_URL and OVEN_SECRET" .Values.existingSecret }}
env:
  # With PostgreSQL and a secret, nothing that must stay is written there.
  - name: OVEN_DATA_DIR
    value: /tmp/oven
  - name: OVEN_PUBLIC_URL
    value: {{ required "publicUrl: the address that people use" .Values.publicUrl | quote }}
{{- range $name, $value := .Values.environment }}
  - name: {{ $name }}
    value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "oven.volumes" -}}
volumes:
  - name: scratch
    emptyDir: {}
{{- end }}

{{- define "oven.mounts" -}}
volumeMounts:
  - name: scratch
    mountPath: /tmp
{{- end }}
