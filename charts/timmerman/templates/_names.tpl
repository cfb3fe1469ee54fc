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
app.kubernetes.io/name: {{ .Values.nameOverride | default "karpenter" | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/component: relay
{{- end -}}

{{- define "timmerman.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: timmerman
{{- with include "timmerman.others" .Values.additionalLabels }}
{{ . }}
{{- end }}
{{- end -}}

{{- /* Labels that are given, without those that are ours: one key twice is no YAML, and selectors need ours. */ -}}
{{- define "timmerman.others" -}}
{{- $ours := list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component" "app.kubernetes.io/managed-by" "app.kubernetes.io/version" "app.kubernetes.io/part-of" "helm.sh/chart" -}}
{{- $others := dict -}}
{{- range $key, $value := . -}}
{{- if not (has $key $ours) -}}
{{- $_ := set $others $key $value -}}
{{- end -}}
{{- end -}}
{{- if $others -}}{{ toYaml $others }}{{- end -}}
{{- end -}}

{{- /* Of everything that isn't the relay's own. */ -}}
{{- define "timmerman.commonLabels" -}}
app.kubernetes.io/name: timmerman
app.kubernetes.io/instance: {{ .Release.Name | quote }}
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
severity: {{ .severity | quote }}
{{- with omit (.more | default dict) "severity" }}
{{ toYaml . }}
{{- end }}
{{- end -}}
