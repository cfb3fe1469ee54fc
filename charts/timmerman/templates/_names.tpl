{{- /* Names and labels that the templates share. */ -}}

{{- define "timmerman.fullname" -}}
{{- .Values.fullnameOverride | default "timmerman" | trunc 55 | trimSuffix "-" -}}
{{- end -}}

{{- define "timmerman.relay" -}}
{{ include "timmerman.fullname" . }}-relay
{{- end -}}

{{- define "timmerman.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (ternary (include "timmerman.relay" .) "default" .Values.serviceAccount.create) -}}
{{- end -}}

{{- /* Instance and component tell the relay's pods from those of a Karpenter beside it. */ -}}
{{- define "timmerman.selectorLabels" -}}
app.kubernetes.io/name: {{ .Values.nameOverride | default "karpenter" }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: relay
{{- end -}}

{{- define "timmerman.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: timmerman
{{- with .Values.additionalLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Of everything that isn't the relay's own. */ -}}
{{- define "timmerman.commonLabels" -}}
app.kubernetes.io/name: timmerman
app.kubernetes.io/instance: {{ .Release.Name }}
{{ include "timmerman.labels" . }}
{{- end -}}

{{- define "timmerman.annotations" -}}
{{- with .Values.additionalAnnotations -}}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "timmerman.image" -}}
{{- with .Values.controller.image -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ with .digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{- define "timmerman.alertLabels" -}}
severity: {{ .severity }}
{{- with .more }}
{{ toYaml . }}
{{- end }}
{{- end -}}
