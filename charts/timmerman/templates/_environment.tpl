{{- /* What the relay reads (relay/config.ts). */ -}}
{{- define "timmerman.environment" -}}
- name: CLUSTER_NAME
  value: {{ .Values.settings.clusterName | quote }}
- name: AWS_REGION
  value: {{ .Values.aws.region | quote }}
- name: TIMMERMAN_TABLE
  value: {{ .Values.timmerman.table | quote }}
{{- with .Values.timmerman.queues }}
- name: TIMMERMAN_QUEUE_PROVISION
  value: {{ .provision | quote }}
- name: TIMMERMAN_QUEUE_DISRUPT
  value: {{ .disrupt | quote }}
- name: TIMMERMAN_QUEUE_LIFECYCLE
  value: {{ .lifecycle | quote }}
- name: TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES
  value: {{ .resolveNodeClasses | quote }}
{{- end }}
- name: BATCH_IDLE_DURATION
  value: {{ .Values.settings.batchIdleDuration | quote }}
- name: BATCH_MAX_DURATION
  value: {{ .Values.settings.batchMaxDuration | quote }}
- name: DISABLE_CLUSTER_STATE_OBSERVABILITY
  value: {{ .Values.settings.disableClusterStateObservability | quote }}
- name: LOG_LEVEL
  value: {{ .Values.logLevel | quote }}
- name: METRICS_PORT
  value: {{ .Values.controller.metrics.port | quote }}
- name: BIND_ADDRESS
  value: {{ .Values.bindAddress | quote }}
- name: DISABLE_LEADER_ELECTION
  value: {{ not .Values.leaderElection.enabled | quote }}
- name: LEADER_ELECTION_NAME
  value: {{ .Values.leaderElection.leaseName | quote }}
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: POD_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
{{- end -}}
